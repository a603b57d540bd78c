import Diagnosis
import Dispatch
import HTTPServer
import LunaTesting
import Testing
import UplinkProtocol

@testable import LunaUplink

/// Checks with a service of ours, over TLS on loopback.
@Suite(.timeLimit(.minutes(10))) struct PairClientTests {
  private let authority: TestAuthority
  private let listener: HTTPListener
  private let url: String

  init() throws {
    authority = try TestAuthority()
    let certified = try authority.certify("DNS:tracker.example.net,IP:127.0.0.1")
    let service = UplinkService()
    var limits = HTTPLimits()
    service.adjust(&limits)
    listener = HTTPListener(limits: limits) { request in
      await service.answer(request) {
        request.head.first("authorization") == "Bearer known" ? "someone" : nil
      } ?? HTTPResponse(404, nil, [])
    }
    let files = try TLSFiles(
      certificateFile: certified.certificate, keyFile: certified.key)
    let address = try listener.start(
      on: ListenAddress(host: "127.0.0.1", port: 0), threads: 2, tls: files)
    url = "https://\(address)"
    withExtendedLifetime(certified) {}
  }

  private func client(token: String = "known") async throws -> PairClient {
    let place = try await HostPlace.find(url, authorities: authority.certificate)
    return PairClient(place, token: token)
  }

  @Test(arguments: [SlotDirection.up, .down])
  func measuresEverySlot(_ direction: SlotDirection) async throws {
    let told = Watched<[PairClient.Moment]>([])
    let tally = SlotTally()
    let finding = try await client().check(.upload, direction, seed: 7, tally: tally) { moment in
      told.withLock { $0.append(moment) }
    }
    // The same, with what is said at the end.
    #expect(tally.used >= SlotVolume.used(finding.bytes, slots: finding.slots.count + 2))
    #expect(tally.used < SlotVolume.used(finding.bytes + 10_000, slots: finding.slots.count + 5))
    // How fast loopback is, nobody knows; but nothing fails on it.
    #expect(finding.slots.count >= 20 && finding.slots.count.isMultiple(of: 2))
    #expect(finding.slots.allSatisfy { $0.outcome != .failed && $0.bytes > 0 })
    #expect(finding.bytes <= 92_000_000)
    // Who has no address of its own in a message is told the beginning of it.
    #expect(told.value.first == .allowed(address: "127.0.0.0/24"))
    #expect(told.value.count == finding.slots.count + 3)
    // Both count the same.
    #expect(!finding.isDisputed)
    #expect(await listener.stop(within: .seconds(300)))
  }

  @Test func waitsForAnswersToCommands() async throws {
    let finding = try await client().check(.command, .up, seed: 7) { _ in }
    #expect(finding.slots.count >= 20)
    for slot in finding.slots {
      guard case .measured(let seconds) = slot.outcome else {
        Issue.record("\(slot.outcome)")
        continue
      }
      #expect(seconds > 0 && seconds < slot.seconds)
      // An answer has a head as well.
      #expect((26 * 2_448...26 * 2_948).contains(slot.bytes))
      // What TLS adds, and what is said of the slot, is little beside it.
      #expect(slot.carried > slot.bytes && slot.carried < 26 * 4_000)
    }
    #expect(finding.bytes >= finding.slots.reduce(0) { $0 + $1.carried })
    #expect(await listener.stop(within: .seconds(300)))
  }

  /// A network that resets everybody who asks for the server by its name is found: the side channel does without it.
  @Test func findsThatNobodyMayAskForTheName() async throws {
    let service = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let filter = try NameFilter("tracker.example.net", to: service)
    let session = WebSocketURL("wss://tracker.example.net:\(filter.port)/v1/uplink/session")
    let place = HostPlace(
      session: try #require(session), address: try await ServerAddress.find("127.0.0.1"),
      authorities: authority.certificate, checksName: true)
    let finding = try await PairClient(place, token: "known").check(.upload, .up, seed: 7) { _ in }
    for slot in finding.slots { #expect((slot.outcome == .failed) == (slot.kind == .original)) }
    // Two more: the side channel tries its own name first, and one of the two slots before those that count.
    #expect(filter.resets == finding.slots.count { $0.kind == .original } + 2)
    filter.stop()
    #expect(await listener.stop(within: .seconds(300)))
  }

  /// Loopback treats all alike: that is said, and nothing is found.
  @Test func inspectsFields() async throws {
    let told = Watched<[PairClient.Moment]>([])
    var client = try await client()
    client.budget = 10_000_000
    let outcome = try await client.inspect(
      Inspection([.sni, .size], bytes: 0, seed: 7), otherPort: nil
    ) { moment in
      told.withLock { $0.append(moment) }
    }
    #expect(outcome.inspection.reason == .tooClose && !outcome.inspection.finding.isAnything)
    #expect(outcome.slots == 18 && outcome.bytes > 18 * 64 << 10 && outcome.bytes <= 11_000_000)
    #expect(outcome.seconds > 0 && !outcome.isCancelled)
    let kinds = told.value.compactMap { moment in
      if case .slot(let kind, _, _, _, _) = moment { kind } else { nil }
    }
    #expect(kinds.count == 18 && kinds.filter { $0 == .original }.count == 9)
    #expect(await listener.stop(within: .seconds(300)))
  }

  @Test func whoIsNotKnownIsRefused() async throws {
    let client = try await client(token: "other")
    let error = await #expect(throws: ReplayError.self) {
      _ = try await client.check(.upload, .up, seed: 7) { _ in }
    }
    #expect(error?.kind == .refused && error?.diagnosis.problem.contains("401 (") == true)
    #expect(await listener.stop(within: .seconds(300)))
  }

  /// Of a side channel that is refused it is said why.
  @Test func saysWhyNobodyIsThere() async throws {
    let closed = ClosedPort()
    let place = try await HostPlace.find(
      "https://127.0.0.1:\(closed.number)", authorities: authority.certificate)
    let error = await #expect(throws: ReplayError.self) {
      _ = try await PairClient(place, token: "known").check(.upload, .up, seed: 7) { _ in }
    }
    #expect(error?.kind == .connect)
    #expect(error?.diagnosis.problem.contains("Connection refused") == true)
    withExtendedLifetime(closed) {}
    #expect(await listener.stop(within: .seconds(300)))
  }

  @Test(arguments: SessionReply.Refusal.allCases)
  func saysWhyAServerRefuses(_ code: SessionReply.Refusal) {
    let error = HostLink.error(.refused(code, retryAfter: 60))
    let isBusy = code == .busy || code == .rate
    #expect(error.kind == (isBusy ? ReplayError.Kind.overloaded : ReplayError.Kind.refused))
    #expect(error.diagnosis.problem.hasSuffix("(\(code.rawValue)): \(code.reason)"))
    #expect(error.diagnosis.remedy?.description.contains("60 s") == true)
  }

  @Test func whoIsNotTrustedIsNotAsked() async throws {
    let other = try TestAuthority()
    let place = try await HostPlace.find(url, authorities: other.certificate)
    let error = await #expect(throws: ReplayError.self) {
      _ = try await PairClient(place, token: "known").check(.upload, .up, seed: 7) { _ in }
    }
    #expect(error?.kind == .connect)
    withExtendedLifetime(other) {}
    #expect(await listener.stop(within: .seconds(300)))
  }

  @Test func endsWhenSomebodyWants() async throws {
    let told = Watched<[PairClient.Moment]>([])
    var client = try await client()
    client.budget = 10_000_000
    let tally = SlotTally()
    let cancelled = DispatchSemaphore(value: 0)
    let task = Task { [client] in
      try await client.check(.upload, .up, seed: 7, tally: tally) { moment in
        let count = told.withLock { told in
          told.append(moment)
          return told.count
        }
        // Two slots were made.
        if count == 4 { cancelled.wait() }
      }
    }
    try await told.until { $0.count == 4 }
    task.cancel()
    cancelled.signal()
    let error = await #expect(throws: ReplayError.self) { _ = try await task.value }
    #expect(error?.kind == .cancelled)
    #expect(tally.used > SlotVolume.used(0, slots: 4))
    #expect(tally.used <= SlotVolume.used(client.budget, slots: 36))
    #expect(await listener.stop(within: .seconds(300)))
  }

  @Test(arguments: [
    "http://luna.example", "https://", "https://luna.example/path", "https://a@b", "wehe:x", "",
    "https://luna.example:0",
  ])
  func otherAddressesAreNone(_ url: String) {
    #expect(!HostPlace.isURL(url))
  }

  @Test(arguments: ["https://luna.example", "https://luna.example:8443/", "https://192.0.2.1:1"])
  func addressesOfServers(_ url: String) {
    #expect(HostPlace.isURL(url))
  }
}
