import Bluetooth
import LunaCore
import LunaJSON
import LunaProtocol
import LunaTesting
import Synchronization
import Testing

@testable import LunaFinder

@Suite(.timeLimit(.minutes(10))) struct LunaFinderTests {
  private var now: Timestamp { WallClock.system.now() }

  private func frame(_ number: UInt64) -> AdvertisingReport {
    Samples.report(Samples.bytes(Samples.lunaFrame(number)), number, at: now)
  }

  @Test func whoFollowsAFinderThatIsGoneWaitsForNothing() async {
    let updates = LunaFinder(parts: Bench().parts).updates
    for await _ in updates {}
  }

  @Test func reportsWhatItHears() async throws {
    let bench = Bench()
    let finder = LunaFinder(parts: bench.parts)
    let listener = Listener()
    finder.delegate = listener
    finder.startMonitoring(configuration: bench.configuration)
    let source = try await bench.source()
    let dayBefore = Day(now)
    let beacon = IBeaconFrame(region: IBeaconFrame.defaultRegions[1], heidPrefix: 7)
    source.hear([
      frame(1), Samples.report(Samples.bytes(beacon), 2, at: now),
      Samples.report([1, 2, 3], 3, at: now), frame(1),
    ])
    try await bench.backend.state.until { $0.events.count == 1 }
    await finder.finish()
    #expect(!finder.isMonitoring)
    let event = try #require(bench.backend.state.withLock { $0.events.first })
    #expect(event.heid == Samples.heid(1))
    // It may be midnight meanwhile.
    #expect([dayBefore, Day(now)].contains(event.day))
    #expect(event.debug == nil)
    // Only who heard the frame, or owns the tracker, can open it.
    var sealer = try ReportSealer()
    let heard = Samples.lunaFrame(1)
    let record = try sealer.open(
      event.encodedLocation.span, heid: event.heid, esf: event.esf, eid: heard.eid,
      aotp: heard.aotp)
    #expect(record.latitudeE7 == 520_000_000)
    #expect(record.rssi == -61)
    try await listener.calls.until { $0.count >= 2 }
    #expect(listener.calls.withLock { Set($0) } == ["found \(event.heid)", "entered 1"])
    #expect(bench.queue.waiting == 0)
  }

  /// Of the monitoring that is on: who shows numbers of a gateway asks for it at any time.
  @Test func saysWhatItHasHeard() async throws {
    let bench = Bench()
    let finder = LunaFinder(parts: bench.parts)
    #expect(finder.counters == SourceCounters())
    finder.startMonitoring(configuration: bench.configuration)
    let source = try await bench.source()
    source.lose { counters in
      counters.packets = 9
      counters.reports = 7
    }
    source.hear([frame(1)])
    try await bench.backend.state.until { !$0.events.isEmpty }
    #expect(finder.counters.packets == 9)
    #expect(finder.counters.reports == 7)
    await finder.finish()
    #expect(finder.counters == SourceCounters())
  }

  /// What a source had counted is neither lost nor counted twice when another one takes its place.
  @Test func countsOverAllSourcesOfARun() {
    let (first, second) = (ScriptedSource(), ScriptedSource())
    var tally = SourceTally()
    #expect(tally.counters == SourceCounters())
    tally.turn(to: first)
    first.lose { $0.reports = 5 }
    #expect(tally.counters.reports == 5)
    tally.turn(to: second)
    #expect(tally.counters.reports == 5)
    second.lose { $0.reports = 2 }
    #expect(tally.counters.reports == 7)
    tally.turn(to: ScriptedSource())
    #expect(tally.counters.reports == 7)
  }

  /// The next run finds nobody in its place, also when this one was ended before it began.
  @Test(arguments: [false, true]) func letsGoOfTheQueueBeforeItEnds(isHeard: Bool) async throws {
    let bench = Bench()
    let queue = FullQueue()
    var parts = bench.parts
    parts.openQueue = { _ in
      queue.isOpen.withLock { $0 = true }
      return queue
    }
    let finder = LunaFinder(parts: parts)
    finder.startMonitoring(configuration: bench.configuration)
    if isHeard { _ = try await bench.source() }
    #expect(await finder.finish() == nil)
    #expect(queue.isOpen.withLock { !$0 })
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

  @Test(arguments: [(SourceError.Kind.noAdapter, AdapterHealth.State.lost), (.off, .off)])
  func tellsAtTheEndThatItHasNoRadio(
    _ kind: SourceError.Kind, _ state: AdapterHealth.State
  ) async throws {
    let bench = Bench(failure: SourceError(kind, "it cannot be had"))
    let sink = HealthSink()
    var parts = bench.parts
    parts.telemetry = sink
    let finder = LunaFinder(parts: parts)
    finder.startMonitoring(configuration: bench.configuration)
    try await sink.reports.until { !$0.isEmpty }
    await finder.finish()
    #expect(sink.reports.withLock { $0.last?.adapters.map(\.state) } == [state])
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
    try await bench.backend.state.until { $0.events.count == 30 }
    await finder.finish()
    #expect(bench.backend.state.withLock { Set($0.events.map(\.heid)).count } == 30)
    #expect(bench.queue.waiting == 0)
  }

  /// It is told that one waits, and then by the upload that none does, which was so a moment before.
  @Test func uploadsWhatCameWhileItWasCountedWhatWaits() async throws {
    let bench = Bench()
    let queue = SlowQueue()
    var parts = bench.parts
    parts.openQueue = { _ in queue }
    let finder = LunaFinder(parts: parts)
    finder.startMonitoring(configuration: bench.configuration)
    let source = try await bench.source()
    source.hear([frame(1)])
    try await queue.isAsked.until { $0 }
    let answers = queue.answers.value
    source.hear([frame(2)])
    try await queue.answers.until { $0 > answers }
    for _ in 0..<100 { await Task.yield() }
    queue.maySay.withLock { $0 = true }
    try await bench.backend.state.until { $0.events.count == 2 }
    await finder.finish()
  }

  /// By a clock that stands still no pause ever ends.
  @Test func waitsNoLongerWhenThereIsAnotherCredential() async throws {
    let bench = Bench()
    bench.backend.state.withLock {
      $0.failures = [BackendError(.refused, "the token is revoked", status: 401)]
      $0.hasAnotherCredential = true
    }
    var parts = bench.parts
    parts.clock = WallClock(
      now: WallClock.system.now, elapsed: { .seconds(1) },
      sleep: { pause in
        // The position comes first, however slow this machine is.
        let isForPosition = pause == FinderSession.patience
        try await Task.sleep(for: isForPosition ? .seconds(3600) : .milliseconds(5))
      })
    let finder = LunaFinder(parts: parts)
    finder.startMonitoring(configuration: bench.configuration)
    try await bench.source().hear([frame(1)])
    try await bench.backend.state.until { $0.events.count == 1 }
    await finder.finish()
    #expect(bench.backend.state.withLock { $0.batches } == [1, 1])
  }

  /// With much that waits there are several uploads a second.
  @Test func saysOnceThatWhatBecomesOfEventsCannotBeWritten() async throws {
    let bench = Bench()
    var parts = bench.parts
    parts.openQueue = { _ in FullQueue(refusing: .outcomes) }
    let finder = LunaFinder(parts: parts)
    let updates = finder.updates
    finder.startMonitoring(configuration: bench.configuration)
    try await bench.source().hear((1...5).map { frame($0) })
    var (uploads, problems) = (0, 0)
    for await update in updates {
      if case .uploaded = update { uploads += 1 }
      if case .problem = update { problems += 1 }
      if uploads == 5 { break }
    }
    await finder.finish()
    #expect(problems == 1)
  }

  /// The position of a recording is waited for as long as it takes, unless nobody wants it any more.
  @Test func endsAlsoBeforeItHasBegun() async throws {
    let bench = Bench()
    var parts = bench.parts
    parts.isRecording = true
    parts.makeLocation = { _ in Nowhere() }
    let session = try await FinderSession(bench.configuration, parts) { _ in }
    await session.end()
    #expect(await session.run() == nil)
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
    try await bench.backend.state.until { $0.events.count == 2 }
    try await waitUntil { bench.queue.waiting == 0 }
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
    try await waitUntil { bench.queue.waiting == 2 }
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
    try await bench.backend.state.until { !$0.confirmations.isEmpty }
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
      $0.refusal = BackendError(.notFound, "never held", status: 409, isExplained: true)
    }
    let finder = LunaFinder(parts: bench.parts)
    finder.startMonitoring(configuration: bench.configuration)
    try await bench.source().hear([frame(1)])
    try await bench.backend.state.until { !$0.confirmations.isEmpty }
    try await waitUntil { bench.queue.nextConfirmation() == nil }
    await finder.finish()
    #expect(bench.backend.state.withLock { $0.confirmations.count } == 1)
    #expect(bench.queue.status(at: now).dropped["confirmation.notFound"] == 1)
  }

  /// A page of a proxy that knows no such path is no word of the backend.
  @Test func keepsAConfirmationThatAProxyRefuses() async throws {
    let bench = Bench()
    bench.backend.state.withLock {
      $0.requests = [Samples.request("c1", [1])]
      $0.refusal = BackendError(.notFound, "no such page", status: 404)
    }
    let finder = LunaFinder(parts: bench.parts)
    finder.startMonitoring(configuration: bench.configuration)
    try await bench.source().hear([frame(1)])
    try await bench.backend.state.until { !$0.confirmations.isEmpty }
    await finder.finish()
    #expect(bench.queue.nextConfirmation() != nil)
    #expect(bench.queue.status(at: now).dropped.isEmpty)
  }

  @Test func tellsWhatBecomesOfTheAdapter() async throws {
    let bench = Bench()
    let finder = LunaFinder(parts: bench.parts)
    let listener = Listener()
    finder.delegate = listener
    let updates = finder.updates
    finder.startMonitoring(configuration: bench.configuration)
    let source = try await bench.source()
    let states: [SourceState] = [
      .starting, .scanning, .recovering(reason: "it is silent"), .starting, .scanning,
      .recovering(reason: "it is gone"), .lost(reason: "it did not come back"),
    ]
    for state in states { source.become(state) }
    source.lose(7)
    var told: [FinderState] = []
    for await update in updates {
      if case .state(let state) = update { told.append(state) }
      if told.count == 5 { break }
    }
    let expected: [FinderState] = [
      .listening(adapter: "virtual"), .recovering(adapter: "virtual", reason: "it is silent"),
      .listening(adapter: "virtual"), .recovering(adapter: "virtual", reason: "it is gone"),
      .lost(adapter: "virtual", reason: "it did not come back"),
    ]
    #expect(told == expected)
    source.end()
    _ = await finder.wait()
    try await listener.calls.until { $0.contains("dropped 7 kernel") }
    #expect(listener.calls.withLock { $0.filter { $0.hasPrefix("state") } }.count == 5)
  }

  @Test func tellsThatAFullQueueDropsEvents() async throws {
    let bench = Bench(limit: 2)
    bench.backend.state.withLock {
      $0.failures = Array(repeating: BackendError(.unreachable, "no route"), count: 1000)
    }
    let finder = LunaFinder(parts: bench.parts)
    let listener = Listener()
    finder.delegate = listener
    finder.startMonitoring(configuration: bench.configuration)
    try await bench.source().hear((1...47).map { frame($0) })
    try await listener.calls.until { calls in
      let lost = calls.filter { $0.hasSuffix(" queueFull") }
        .compactMap { Int($0.split(separator: " ")[1]) }
      return lost.reduce(0, +) == 45
    }
    await finder.finish()
    #expect(bench.queue.status(at: now).dropped == [DropReason.queueFull: 45])
  }

  @Test func saysAtTheEndWhatCouldNotBeNoted() async throws {
    let bench = Bench()
    var parts = bench.parts
    let queue = FullQueue()
    queue.losses.withLock { $0 = ["crowd": 3] }
    parts.openQueue = { _ in queue }
    let finder = LunaFinder(parts: parts)
    let listener = Listener()
    finder.delegate = listener
    finder.startMonitoring(configuration: bench.configuration)
    _ = try await bench.source()
    await finder.finish()
    try await listener.calls.until { $0.contains { $0.contains("crowd: 3") } }
  }

  @Test func whoIsSlowIsToldWhatIsMissing() async throws {
    let bench = Bench(limit: 100_000)
    let finder = LunaFinder(parts: bench.parts)
    let slow = finder.updates
    let quick = finder.updates
    let counted = Watched(0)
    let reader = Task { for await _ in quick { counted.withLock { $0 += 1 } } }
    var configuration = bench.configuration
    configuration.minimumTimeBetweenTwoEventsInSeconds = 0
    configuration.maximumCacheSize = 1000
    finder.startMonitoring(configuration: configuration)
    let source = try await bench.source()
    // As fast as the quick one reads: who reads late misses something, however quick.
    for batch in 1...60 {
      source.hear((1...40).map { frame($0) })
      try await counted.until { $0 >= batch * 40 }
    }
    var iterator = slow.makeAsyncIterator()
    for _ in 0..<1000 { _ = await iterator.next() }
    source.hear([frame(1)])
    var missing = 0
    while missing == 0, let update = await iterator.next() {
      if case .dropped(DropReason.updates, let count) = update { missing = count }
    }
    #expect(missing > 1000)
    await finder.finish()
    reader.cancel()
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
    var parts = bench.parts
    parts.facts = {
      GatewayFacts(name: "attic", battery: GatewayBattery(level: 0.25, state: "unplugged"))
    }
    let finder = LunaFinder(parts: parts)
    finder.startMonitoring(configuration: configuration)
    #expect((await finder.wait() as? FinderError)?.kind == .configuration)
    configuration.allowInsecureDebugFields = true
    finder.startMonitoring(configuration: configuration)
    try await bench.source().hear([frame(1)])
    try await bench.backend.state.until { !$0.events.isEmpty }
    await finder.finish()
    let debug = try #require(bench.backend.state.withLock { $0.events.first?.debug })
    #expect(debug["latitude"] == .real(52))
    #expect(debug["eid"] == .string(Samples.lunaFrame(1).eid.description))
    #expect(debug["aotp"] == .string(Samples.lunaFrame(1).aotp.revealed))
    #expect(debug["deviceName"] == .string("attic"))
    #expect(debug["batteryLevel"] == .real(0.25))
    #expect(debug["batteryState"] == .string("unplugged"))
    #expect(debug["locationSharingStatus"] == .string("authorized"))
  }

  /// The radio stays open; a recording is heard whole.
  @Test(arguments: [(FinderDuty.sparse, false), (.full, false), (.sparse, true)])
  func aSparseScanPauses(duty: FinderDuty, isRecording: Bool) async throws {
    let bench = Bench()
    var parts = bench.parts
    parts.isRecording = isRecording
    var configuration = bench.configuration
    configuration.duty = duty
    let finder = LunaFinder(parts: parts)
    finder.startMonitoring(configuration: configuration)
    let source = try await bench.source()
    source.hear([frame(1)])
    try await bench.backend.state.until { !$0.events.isEmpty }
    let sparse = ScanRhythm(listening: .seconds(3), of: .seconds(12))
    #expect(source.rhythms == (isRecording ? [] : [duty == .sparse ? sparse : .steady]))
    await finder.finish()
    #expect(bench.sources.withLock(\.count) == 1)
  }

  @Test func startingAnewEndsTheRunBefore() async throws {
    let bench = Bench()
    let finder = LunaFinder(parts: bench.parts)
    finder.startMonitoring(configuration: bench.configuration)
    _ = try await bench.source()
    finder.startMonitoring(configuration: bench.configuration)
    try await bench.source(1).hear([frame(1)])
    try await bench.backend.state.until { !$0.events.isEmpty }
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

  /// A second is enough, whether a tracker is near or not, and who asks for the status is told as well.
  @Test func tellsEachSecondWhatTheRadioLoses() async throws {
    let (bench, clock) = (Bench(), SteppedClock())
    var parts = bench.parts
    parts.clock = clock.clock
    let finder = LunaFinder(parts: parts)
    let updates = finder.updates
    finder.startMonitoring(configuration: bench.configuration)
    let source = try await bench.source()
    let told = Task {
      var told: [String: Int] = [:]
      for await update in updates {
        if case .dropped(let reason, let count) = update { told[reason, default: 0] += count }
        if told.count == 6 { return told }
      }
      return told
    }
    await clock.sleeper(for: LossWatch.tick)
    source.lose { counters in
      counters.kernelDrops = 1
      counters.queueDrops = 1_700_000
      counters.overrunEvents = 3
      counters.unfinishedFragments = 4
      counters.checksumErrors = 5
      counters.damagedRecords = 6
    }
    clock.pass(.seconds(1))
    let expected = [
      "kernel": 1, "queue": 1_700_000, "overrun": 3, "unfinished": 4, "checksum": 5, "damaged": 6,
    ]
    #expect(await told.value == expected)
    #expect(clock.elapsed == .seconds(1))
    #expect(bench.queue.status(at: now).dropped == expected)
    await finder.finish()
  }

  /// Each source counts for itself, to the end of its stopping.
  @Test func forgetsNoLossesWhenTheDutyChanges() async throws {
    let (bench, clock) = (Bench(), SteppedClock())
    var parts = bench.parts
    parts.clock = clock.clock
    var configuration = bench.configuration
    configuration.duty = .auto
    let finder = LunaFinder(parts: parts)
    let updates = finder.updates
    finder.startMonitoring(configuration: configuration)
    let first = try await bench.source()
    first.losesAtTheEnd { $0.unfinishedFragments = 2 }
    first.lose { $0.kernelDrops = 7 }
    // A tracker is near: it listens fully, with another source.
    first.hear([frame(1)])
    let second = try await bench.source(1)
    second.losesAtTheEnd { $0.unfinishedFragments = 1 }
    second.lose { $0.kernelDrops = 5 }
    await finder.finish()
    var told: [String: Int] = [:]
    for await update in updates {
      if case .dropped(let reason, let count) = update { told[reason, default: 0] += count }
    }
    #expect(told == ["kernel": 12, "unfinished": 3])
    #expect(bench.queue.status(at: now).dropped == told)
  }

  /// What has no time that can be was not heard now, and a clock that was wrong for one report spoils no other.
  @Test func reportsNothingOfARecordingThatHasNoTime() async throws {
    let bench = Bench()
    var parts = bench.parts
    parts.isRecording = true
    let finder = LunaFinder(parts: parts)
    let updates = finder.updates
    finder.startMonitoring(configuration: bench.configuration)
    let source = try await bench.source()
    func report(_ second: Int64?) -> AdvertisingReport {
      let time = second.map {
        Timestamp(microseconds: Driver.start.microseconds + $0 * 1_000_000)
      }
      return Samples.report(Samples.bytes(Samples.lunaFrame(1)), 1, at: time ?? .unknown)
    }
    source.hear([report(nil), report(2 * 86_400)] + (0..<180).map { report($0) } + [report(nil)])
    source.end()
    var (found, untimed) = ([Timestamp](), 0)
    for await update in updates {
      if case .found(_, _, let time) = update { found.append(time) }
      if case .dropped(DropReason.untimed, let count) = update { untimed += count }
    }
    #expect(untimed == 3)
    #expect(
      found
        == [0, 60, 120].map {
          Timestamp(microseconds: Driver.start.microseconds + $0 * 1_000_000)
        })
    #expect(bench.backend.state.withLock { $0.events.count } == 3)
    #expect(bench.queue.status(at: now).dropped == ["untimed": 3])
  }
}
