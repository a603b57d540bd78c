import EventLoop
import LunaTesting
import Testing
import UplinkProtocol

@testable import LunaUplink

/// What probes of fields look like on the wire.
@Suite(.timeLimit(.minutes(10))) struct FieldRunTests {
  private static let versions: [UInt8] = [0x00, 0x2B, 0x00, 0x05, 0x04, 0x03, 0x04, 0x03, 0x03]

  private let authority: TestAuthority

  init() throws { authority = try TestAuthority() }

  private func run(to server: TestServer, otherPort: UInt16? = nil) async throws -> FieldRun {
    let place = try await HostPlace.find(
      "https://127.0.0.1:\(server.port)", authorities: authority.certificate)
    return FieldRun(
      client: PairClient(place, token: "known"), otherPort: otherPort, tell: { _ in })
  }

  /// What a client says first in a slot (RFC 8446, 4.1.2).
  private func hello(_ subject: Inspection.Subject) async throws -> [UInt8] {
    let server = try TestServer()
    let heard = Watched<[UInt8]>([])
    server.serve(1) { client in
      let head = client.receive(5)
      guard head.count == 5 else { return }
      let rest = client.receive(Int(head[3]) << 8 | Int(head[4]))
      heard.withLock { $0 = rest }
    }
    let run = try await run(to: server)
    let slot = SlotRun(
      place: run.client.place, order: SlotOrder(1, .original, .up, bytes: 1), token: "0",
      name: run.name(for: subject), waiting: SocketWait(end: try #require(EndSignal())),
      change: run.change(for: subject))
    let record = await Blocking.run { try? slot.run() }
    #expect(record?.outcome == .failed)
    try await heard.until { !$0.isEmpty }
    withExtendedLifetime(server) {}
    return heard.value
  }

  private func has(_ bytes: [UInt8], in hello: [UInt8]) -> Bool {
    hello.indices.contains { hello[$0...].starts(with: bytes) }
  }

  @Test(arguments: [
    (Inspection.Subject.original, false, true, true),
    (.control, true, true, true), (.probe(.field(.sni)), true, true, true),
    (.probe(.field(.alpn)), false, false, true),
    (.probe(.field(.tlsVersion)), false, true, false),
    (.probe(.field(.size)), false, true, true),
  ])
  func oneFieldIsChanged(
    _ subject: Inspection.Subject, _ isOtherName: Bool, _ isSpoken: Bool, _ isNew: Bool
  ) async throws {
    let hello = try await hello(subject)
    #expect(has(Array("example.com".utf8), in: hello) == isOtherName)
    #expect(has(Array("http/1.1".utf8), in: hello) == isSpoken)
    #expect(has(FieldRunTests.versions, in: hello) == isNew)
  }

  @Test func thePortAndTheSizeAreChanged() async throws {
    let server = try TestServer()
    let run = try await run(to: server, otherPort: 4_433)
    #expect(run.change(for: .probe(.field(.port))).port == 4_433)
    #expect(run.change(for: .original).port == nil)
    for (bytes, changed) in [(1 << 20, 1 << 19), (64 << 10, 128 << 10)] {
      #expect(run.size(of: .original, bytes) == bytes)
      #expect(run.size(of: .probe(.field(.size)), bytes) == changed)
    }
  }
}
