import Bluetooth
import LunaCore
import LunaJSON
import LunaProtocol
import Synchronization
import Testing

@testable import LunaFinder

@Suite(.timeLimit(.minutes(2))) struct LunaFinderTests {
  private var now: Timestamp { WallClock.system.now() }

  private func frame(_ number: UInt64) -> AdvertisingReport {
    Samples.report(Samples.bytes(Samples.lunaFrame(number)), number, at: now)
  }

  @Test func reportsWhatItHears() async throws {
    let bench = Bench()
    let finder = LunaFinder(parts: bench.parts)
    let listener = Listener()
    finder.delegate = listener
    finder.startMonitoring(configuration: bench.configuration)
    let source = try await bench.source()
    let beacon = IBeaconFrame(region: IBeaconFrame.defaultRegions[1], heidPrefix: 7)
    source.hear([
      frame(1), Samples.report(Samples.bytes(beacon), 2, at: now),
      Samples.report([1, 2, 3], 3, at: now), frame(1),
    ])
    try await bench.eventually { bench.backend.state.withLock { $0.events.count == 1 } }
    await finder.finish()
    #expect(!finder.isMonitoring)
    let event = try #require(bench.backend.state.withLock { $0.events.first })
    #expect(event.heid == Samples.heid(1))
    #expect(event.day == Day(now))
    #expect(event.debug == nil)
    // Only who heard the frame, or owns the tracker, can open it.
    var sealer = try ReportSealer()
    let heard = Samples.lunaFrame(1)
    let record = try sealer.open(
      event.encodedLocation.span, heid: event.heid, esf: event.esf, eid: heard.eid,
      aotp: heard.aotp)
    #expect(record.latitudeE7 == 520_000_000)
    #expect(record.rssi == -61)
    try await bench.eventually { listener.calls.withLock { $0.count >= 2 } }
    #expect(listener.calls.withLock { Set($0) } == ["found \(event.heid)", "entered 1"])
    #expect(bench.queue.waiting == 0)
  }

  @Test func claimsNoSightingThatIsNotKept() async throws {
    let bench = Bench()
    var parts = bench.parts
    parts.openQueue = { _ in FullQueue() }
    let finder = LunaFinder(parts: parts)
    let updates = finder.updates
    finder.startMonitoring(configuration: bench.configuration)
    try await bench.source().hear([frame(1), frame(2)])
    var (found, lost) = (0, 0)
    for await update in updates {
      if case .found = update { found += 1 }
      if case .dropped(DropReason.storage, let count) = update { lost += count }
      if lost == 2 { break }
    }
    await finder.finish()
    #expect(found == 0)
  }

  @Test func holdsItsDelegateWeakly() {
    let finder = LunaFinder(parts: Bench().parts)
    do {
      let listener = Listener()
      finder.delegate = listener
      #expect(finder.delegate != nil)
      _ = listener
    }
    #expect(finder.delegate == nil)
  }

  @Test func anOutageLosesNothingAndDoublesNothing() async throws {
    let bench = Bench()
    bench.backend.state.withLock {
      $0.failures = [
        BackendError(.unreachable, "no route"), BackendError(.interrupted, "broke off"),
      ]
    }
    let finder = LunaFinder(parts: bench.parts)
    finder.startMonitoring(configuration: bench.configuration)
    let source = try await bench.source()
    source.hear((1...30).map { frame($0) })
    try await bench.eventually { bench.backend.state.withLock { $0.events.count == 30 } }
    await finder.finish()
    #expect(bench.backend.state.withLock { Set($0.events.map(\.heid)).count } == 30)
    #expect(bench.queue.waiting == 0)
  }

  @Test func setsRefusedEventsAside() async throws {
    let bench = Bench()
    let bad = Samples.heid(2)
    bench.backend.state.withLock {
      $0.outcome = { $0.heid == bad ? .rejected(code: "dayExpired", isPermanent: true) : .accepted }
    }
    let finder = LunaFinder(parts: bench.parts)
    finder.startMonitoring(configuration: bench.configuration)
    try await bench.source().hear([frame(1), frame(2), frame(3)])
    try await bench.eventually { bench.backend.state.withLock { $0.events.count == 2 } }
    try await bench.eventually { bench.queue.waiting == 0 }
    await finder.finish()
    #expect(bench.queue.status(at: now).setAside == ["dayExpired": 1])
  }

  @Test func stoppingFlushes() async throws {
    let bench = Bench()
    var configuration = bench.configuration
    configuration.maximumCacheSize = 10
    configuration.timeBetweenPostsToServerInSeconds = 3600
    let finder = LunaFinder(parts: bench.parts)
    finder.startMonitoring(configuration: configuration)
    try await bench.source().hear([frame(1), frame(2)])
    try await bench.eventually { bench.queue.waiting == 2 }
    #expect(bench.backend.state.withLock { $0.events.isEmpty })
    await finder.finish()
    #expect(bench.backend.state.withLock { $0.events.count } == 2)
  }

  @Test func carriesOutACommandAndConfirmsIt() async throws {
    let receipt = [UInt8](repeating: 3, count: 17)
    let bench = Bench(outcome: CommandOutcome(.done, receipt: receipt))
    bench.backend.state.withLock { $0.requests = [Samples.request("c1", [1])] }
    let finder = LunaFinder(parts: bench.parts)
    finder.startMonitoring(configuration: bench.configuration)
    try await bench.source().hear([frame(1)])
    try await bench.eventually { bench.backend.state.withLock { !$0.confirmations.isEmpty } }
    await finder.finish()
    #expect(bench.runner.packages.withLock { $0 } == [Samples.package(1)])
    let confirmation = try #require(bench.backend.state.withLock { $0.confirmations.first })
    #expect(confirmation.requestID == "c1")
    #expect(confirmation.outcome == .done)
    #expect(confirmation.receipt == receipt)
    #expect(bench.queue.nextConfirmation() == nil)
  }

  @Test func givesUpAConfirmationThatNobodyWants() async throws {
    let bench = Bench()
    bench.backend.state.withLock {
      $0.requests = [Samples.request("c1", [1])]
      $0.refusal = BackendError(.notFound, "never held", status: 409)
    }
    let finder = LunaFinder(parts: bench.parts)
    finder.startMonitoring(configuration: bench.configuration)
    try await bench.source().hear([frame(1)])
    try await bench.eventually { bench.backend.state.withLock { !$0.confirmations.isEmpty } }
    try await bench.eventually { bench.queue.nextConfirmation() == nil }
    await finder.finish()
    #expect(bench.backend.state.withLock { $0.confirmations.count } == 1)
    #expect(bench.queue.status(at: now).dropped["confirmation.notFound"] == 1)
  }

  @Test func tellsWhatTheRadioSays() async throws {
    let bench = Bench(failure: SourceError(.noAdapter, "there is no adapter"))
    let finder = LunaFinder(parts: bench.parts)
    let updates = finder.updates
    finder.startMonitoring(configuration: bench.configuration)
    let error = await finder.wait() as? SourceError
    #expect(error?.kind == .noAdapter)
    #expect(!finder.isMonitoring)
    // Who read the updates until they ended asks later.
    for await _ in updates {}
    #expect((await finder.wait() as? SourceError)?.kind == .noAdapter)
  }

  @Test func refusesDebugFieldsUnlessAllowed() async throws {
    let bench = Bench()
    var configuration = bench.configuration
    configuration.sendsDebugFields = true
    let finder = LunaFinder(parts: bench.parts)
    finder.startMonitoring(configuration: configuration)
    #expect((await finder.wait() as? FinderError)?.kind == .configuration)
    configuration.allowInsecureDebugFields = true
    finder.startMonitoring(configuration: configuration)
    try await bench.source().hear([frame(1)])
    try await bench.eventually { bench.backend.state.withLock { !$0.events.isEmpty } }
    await finder.finish()
    let debug = try #require(bench.backend.state.withLock { $0.events.first?.debug })
    #expect(debug["latitude"] == .real(52))
    #expect(debug["eid"] == .string(Samples.lunaFrame(1).eid.description))
  }

  @Test func startingAnewEndsTheRunBefore() async throws {
    let bench = Bench()
    let finder = LunaFinder(parts: bench.parts)
    finder.startMonitoring(configuration: bench.configuration)
    _ = try await bench.source()
    finder.startMonitoring(configuration: bench.configuration)
    try await bench.source(1).hear([frame(1)])
    try await bench.eventually { bench.backend.state.withLock { !$0.events.isEmpty } }
    #expect(finder.isMonitoring)
    await finder.finish()
    #expect(!finder.isMonitoring)
  }

  @Test func aRecordingEndsByItself() async throws {
    let bench = Bench()
    var parts = bench.parts
    parts.isRecording = true
    let finder = LunaFinder(parts: parts)
    let updates = finder.updates
    finder.startMonitoring(configuration: bench.configuration)
    let source = try await bench.source()
    let start = Driver.start.microseconds
    // Three minutes in no time: the time is that of the reports.
    source.hear(
      (0..<180).map {
        Samples.report(
          Samples.bytes(Samples.lunaFrame(1)), 1,
          at: Timestamp(microseconds: start + Int64($0) * 1_000_000))
      })
    source.end()
    var found = 0
    for await update in updates { if case .found = update { found += 1 } }
    #expect(found == 3)
    #expect(bench.backend.state.withLock { $0.events.count } == 3)
    #expect(
      bench.backend.state.withLock { $0.events.allSatisfy { $0.day.description == "2026-11-21" } })
  }
}
