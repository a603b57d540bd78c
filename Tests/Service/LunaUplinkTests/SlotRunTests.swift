import EventLoop
import Glibc
import LunaTesting
import TLSStream
import Testing
import UplinkProtocol

@testable import LunaUplink

/// Slots whose server is not ours.
@Suite(.timeLimit(.minutes(10))) struct SlotRunTests {
  private static let mebibyte = 1 << 20

  private let authority: TestAuthority
  private let certified: TestAuthority.Certified

  init() throws {
    authority = try TestAuthority()
    certified = try authority.certify("IP:127.0.0.1")
  }

  /// What comes of a slot with a server that reads so many bytes, and then nothing more.
  private func record(reading count: Int, of bytes: Int) async throws -> SlotRecord? {
    let server = try TestServer()
    let identity = TLSIdentity(
      certificateFile: certified.certificate, keyFile: certified.key)
    server.serve(1) { client in try? SlotRunTests.read(count, from: client, identity) }
    let place = try await HostPlace.find(
      "https://127.0.0.1:\(server.port)", authorities: authority.certificate)
    // Nothing but silence ends it, however long its server reads.
    let run = SlotRun(
      place: place, order: SlotOrder(1, .original, .up, bytes: bytes), token: "0", name: nil,
      waiting: SocketWait(end: try #require(EndSignal())), length: .seconds(600))
    let record = await Blocking.run { try? run.run() }
    withExtendedLifetime(server) {}
    return record
  }

  private static func read(
    _ count: Int, from client: TestSocket, _ identity: TLSIdentity, then: () -> Void = {}
  ) throws(TLSError) {
    _ = fcntl(client.descriptor, F_SETFL, O_NONBLOCK)
    let stream = try TLSStream(over: client.descriptor, .server(identity))
    var buffer = [UInt8](repeating: 0, count: 4096)
    var total = 0
    while !stream.isOpen || total < count {
      var polls = [
        pollfd(fd: client.descriptor, events: stream.events(reads: true), revents: 0)
      ]
      guard poll(&polls, 1, 300_000) > 0 else { return }
      try stream.proceed()
      reading: while total < count {
        switch try stream.receive(buffer.count, into: &buffer) {
        case .bytes(let more): total += more
        case .nothing: break reading
        case .end: return
        }
      }
    }
    then()
    // Until the client breaks it off.
    var end = [pollfd(fd: client.descriptor, events: 0, revents: 0)]
    poll(&end, 1, 300_000)
  }

  /// Of a slot that somebody ends there is no record, and what went of it is known even so.
  @Test func whatWentBeforeTheEndCounts() async throws {
    let server = try TestServer()
    let identity = TLSIdentity(
      certificateFile: certified.certificate, keyFile: certified.key)
    let (end, tally) = (try #require(EndSignal()), SlotTally())
    server.serve(1) { client in
      try? SlotRunTests.read(SlotRunTests.mebibyte, from: client, identity) { end.call() }
    }
    let place = try await HostPlace.find(
      "https://127.0.0.1:\(server.port)", authorities: authority.certificate)
    let run = SlotRun(
      place: place,
      order: SlotOrder(1, .original, .up, bytes: 65 * SlotRunTests.mebibyte), token: "0",
      name: nil, waiting: SocketWait(end: end), length: .seconds(600), tally: tally)
    let kind = await Blocking.run { () -> ReplayError.Kind? in
      do throws(ReplayError) {
        _ = try run.run()
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind == .cancelled)
    #expect(tally.used >= SlotVolume.used(SlotRunTests.mebibyte, slots: 2))
    #expect(tally.used < SlotVolume.used(65 * SlotRunTests.mebibyte, slots: 2))
    withExtendedLifetime(server) {}
  }

  /// What went before does not make up for silence.
  @Test(arguments: [0, 1 << 20])
  func silenceIsAFailure(_ count: Int) async throws {
    let record = try #require(
      await record(reading: count, of: count + 64 * SlotRunTests.mebibyte))
    #expect(record.outcome == .failed)
    #expect(record.kind == .original)
    // What was sent counts, whoever has read it.
    #expect(record.carried >= max(record.bytes, count))
  }
}
