import HTTPServer
import LunaTesting
import Testing
import UplinkProtocol

@testable import LunaUplink

/// Localizations with two services of ours, over TLS on loopback.
@Suite(.timeLimit(.minutes(10))) struct PairLocatorTests {
  private let authority: TestAuthority
  private let services: [UplinkService]
  private let listeners: [HTTPListener]
  private let urls: [String]

  init() throws {
    authority = try TestAuthority()
    let certified = try authority.certify("IP:127.0.0.1,IP:127.0.0.2")
    let files = try TLSFiles(certificateFile: certified.certificate, keyFile: certified.key)
    var services: [UplinkService] = []
    var listeners: [HTTPListener] = []
    var urls: [String] = []
    // The first one is less patient than servers are.
    for (host, silence) in [("127.0.0.1", 6.0), ("127.0.0.2", 60.0)] {
      var hostLimits = HostLimits()
      hostLimits.silentSeconds = silence
      let service = UplinkService(hostLimits)
      services.append(service)
      var limits = HTTPLimits()
      service.adjust(&limits)
      let listener = HTTPListener(limits: limits) { request in
        await service.answer(request) { "someone" } ?? HTTPResponse(404, nil, [])
      }
      let address = try listener.start(
        on: ListenAddress(host: host, port: 0), threads: 2, tls: files)
      listeners.append(listener)
      urls.append("https://\(address)")
    }
    self.services = services
    self.listeners = listeners
    self.urls = urls
    withExtendedLifetime(certified) {}
  }

  private func clients(_ budget: Int) async throws -> [PairClient] {
    var clients: [PairClient] = []
    for url in urls {
      let place = try await HostPlace.find(url, authorities: authority.certificate)
      var client = PairClient(place, token: "known")
      client.budget = budget
      clients.append(client)
    }
    return clients
  }

  private func stop() async {
    for listener in listeners { #expect(await listener.stop(within: .seconds(300))) }
  }

  @Test func makesBlocksWithBoth() async throws {
    let clients = try await clients(71_000_000)
    let told = Watched<[PairLocator.Moment]>([])
    let tally = SlotTally()
    let finding = try await PairLocator(clients[0], clients[1]).locate(
      .throttled, .upload, seed: 7, tally: tally
    ) { moment in
      told.withLock { $0.append(moment) }
    }
    #expect(tally.used >= SlotVolume.used(finding.bytes, slots: 33))
    // How fast loopback is, nobody knows; but all of it goes, and nothing more.
    #expect(finding.bytes > 33 * 64 << 10 && finding.bytes <= 80_000_000)
    #expect(finding.seconds > 0 && finding.blocks <= 10)
    let runs = told.value.compactMap { moment in
      if case .run(let run, _) = moment { run } else { nil }
    }
    #expect(runs.first == .alone && runs.count >= 33 && runs.count <= 41)
    #expect(Set(runs) == Set(LocateBlocks.Run.allCases))
    await stop()
  }

  /// Whoever waits for one server is silent towards the other one, which then ends that.
  @Test func beginsAnewWhereOneServerHadToBeWaitedFor() async throws {
    let clients = try await clients(71_000_000)
    let (told, isHeld) = (Watched<[PairLocator.Moment]>([]), Watched(false))
    let first = services[0]
    let other = Task {
      try await SocketWait.run { waiting throws(ReplayError) in
        let hello = SessionRequest.hello(
          version: 1, profile: BuiltInProfile.upload.rawValue, direction: "up", pairs: 1,
          slotBytes: 100_000, slotSeconds: 1.5)
        let link = try HostLink.begin(clients[1], .upload, hello, waiting) { _ in }.link
        isHeld.withLock { $0 = true }
        while !told.value.contains(.queued(place: 1)) || first.running > 0 {
          try waiting.pause(.milliseconds(100))
        }
        link.leave()
      }
    }
    try await isHeld.until { $0 }
    let finding = try await PairLocator(clients[0], clients[1]).locate(
      .throttled, .upload, seed: 7
    ) { moment in
      told.withLock { $0.append(moment) }
    }
    try await other.value
    #expect(finding.bytes > 33 * 64 << 10 && finding.blocks <= 10)
    await stop()
  }

  /// Each would have one of the servers, and wait for the other one.
  @Test func entersServersInOneOrder() async throws {
    let clients = try await clients(71_000_000)
    for (named, order) in [(clients, [0, 1]), (Array(clients.reversed()), [1, 0])] {
      let run = LocateRun(clients: named, profile: .upload, tally: SlotTally()) { _ in }
      #expect(run.order == order)
    }
    async let one = PairLocator(clients[0], clients[1]).locate(.throttled, .upload, seed: 7) { _ in
    }
    async let other = PairLocator(clients[1], clients[0]).locate(.throttled, .upload, seed: 8) {
      _ in
    }
    for finding in try await [one, other] { #expect(finding.bytes > 33 * 64 << 10) }
    await stop()
  }

  @Test func measuresWhatIsUsual() async throws {
    let usual = try await PairLocator.variations(
      with: try await clients(21_000_000)[0], .upload
    ) { _ in }
    #expect(usual.values.count <= 20 && usual.values.allSatisfy { (0...100).contains($0) })
    #expect(usual.bytes > 0 && usual.bytes <= 25_000_000)
    await stop()
  }

  @Test func endsWhenSomebodyWants() async throws {
    let told = Watched<[PairLocator.Moment]>([])
    let clients = try await clients(71_000_000)
    let task = Task {
      try await PairLocator(clients[0], clients[1]).locate(.throttled, .upload, seed: 7) { moment in
        told.withLock { $0.append(moment) }
      }
    }
    try await told.until { !$0.isEmpty }
    task.cancel()
    let error = await #expect(throws: ReplayError.self) { _ = try await task.value }
    #expect(error?.kind == .cancelled)
    await stop()
  }
}
