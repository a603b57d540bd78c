import Bluetooth
import LunaCore
import LunaLocal
import LunaProtocol
import LunaTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LunaLocalTests {
  let start: Int64 = 1_750_000_000_000

  @Test func devicesAreThereWhenStartReturnsAndUpdatesFollow() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let store = InMemoryDeviceStore(devices: [tracker.device])
    let later = start + 100 * 86_400_000
    let source = ScriptedSource([
      [tracker.report(at: later)], [tracker.report(at: later + 1_300_000)],
    ])
    let local = LunaLocal(store: store) { source }
    let updates = local.updates
    let calls = Mutex<[Int]>([])
    local.onDevicesUpdate = { devices in calls.withLock { $0.append(devices.count) } }
    local.startScanning([tracker.device])
    #expect(local.devices.map(\.uuid) == [tracker.device.uuid])
    let device = try #require(local.devices.first)
    var events: [LocalUpdate.Event] = []
    for await update in updates {
      #expect(update.device === device)
      events.append(update.event)
      if update.device.timestampedEids.count == 2 { break }
    }
    #expect(events.first == .appeared)
    await local.stop()
    #expect(source.wasStopped)
    #expect(store.clockStates()[tracker.device.uuid] != nil)
    #expect(store.lastSightings()[tracker.device.uuid] != nil)
    #expect(calls.withLock { !$0.isEmpty && $0.allSatisfy { $0 == 1 } })
    #expect(local.devices.count == 1)
    local.reset()
    #expect(local.devices.isEmpty)
  }

  /// Somebody has stopped the scan, and saves; who stops it again may end the process when that returns.
  @Test func whoStopsAScanAgainWaitsForWhatIsBeingSaved() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let store = SlowStore([tracker.device])
    let source = ScriptedSource([[tracker.report(at: start + 86_400_000)]])
    let local = LunaLocal(store: store) { source }
    let scan = try await local.scan([tracker.device])
    try await scan.start()
    while let batch = try await scan.nextBatch() {
      if !scan.follow(batch).isEmpty { break }
    }
    async let first: Void = scan.stop()
    await store.isAsked()
    #expect(await saved(in: store) { await scan.stop() } == 1)
    await first
  }

  /// How often a store that is slow had saved when `stop` came back.
  private func saved(
    in store: SlowStore, _ stop: @escaping @Sendable () async -> Void
  ) async -> Int {
    let stopped = Task {
      await stop()
      return store.count
    }
    for _ in 0..<100 { await Task.yield() }
    store.open()
    return await stopped.value
  }

  /// Somebody has stopped the scan without waiting for what it saves.
  @Test func whoStopsWaitsForAScanThatWasStoppedBefore() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let store = SlowStore([tracker.device])
    let source = ScriptedSource([[tracker.report(at: start + 86_400_000)]])
    let local = LunaLocal(store: store) { source }
    try await stopWhatSaves(local, tracker.device, store)
    #expect(await saved(in: store) { await local.stop() } == 1)
  }

  /// Until then that may have the radio, and the store does not know what it has learned.
  @Test(arguments: [false, true])
  func whoBeginsWaitsForAScanThatWasStoppedBefore(isDriven: Bool) async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let store = SlowStore([tracker.device])
    let report = tracker.report(at: start + 86_400_000)
    let counts = Watched<[Int]>([])
    let local = LunaLocal(store: store) { () throws(SourceError) in
      counts.withLock { $0.append(store.count) }
      return ScriptedSource([[report]])
    }
    try await stopWhatSaves(local, tracker.device, store)
    let begun = Task {
      if isDriven { return local.startScanning() }
      _ = try await local.start()
    }
    for _ in 0..<100 { await Task.yield() }
    store.open()
    try await begun.value
    try await counts.until { $0.count == 2 }
    #expect(counts.value == [0, 1])
    await local.stop()
  }

  /// Stops a scan that has learned something, and returns when that is being saved.
  private func stopWhatSaves(_ local: LunaLocal, _ device: Device, _ store: SlowStore) async throws
  {
    var updates = local.updates.makeAsyncIterator()
    local.startScanning([device])
    _ = await updates.next()
    local.stopScanning()
    await store.isAsked()
  }

  /// Each takes the place of the one before, and none goes on that nobody can stop.
  @Test func whatManyThreadsBeginIsStoppedButForTheLast() async throws {
    let sources = Mutex<[SlowSource]>([])
    let local = LunaLocal(store: InMemoryDeviceStore()) { () throws(SourceError) in
      let source = SlowSource(mayBegin: true)
      sources.withLock { $0.append(source) }
      return source
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          if number % 4 == 0 { local.reset() }
          _ = try? await local.start()
        }
      }
    }
    await local.stop()
    for source in sources.withLock(\.self) { try await source.isListening.until { !$0 } }
  }

  /// Until something was kept again.
  @Test func whatCannotBeKeptIsToldOnce() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let store = FullStore([tracker.device], refusing: .clocks)
    let local = LunaLocal(store: store) { ScriptedSource([]) }
    let errors = local.errors
    let scan = try await local.scan([tracker.device])
    let refused: [FullStore.Part?] = [.clocks, .clocks, nil, .clocks]
    var time = start
    for part in refused {
      store.refuse(part)
      // After so long hearing it says more of its clock than what was known.
      time += 100 * 86_400_000
      scan.follow([tracker.report(at: time)])
      await scan.stop()
    }
    await local.stop()
    var problems = 0
    for await _ in errors { problems += 1 }
    #expect(problems == 2)
  }

  @Test func aSourceThatBeginsWhileItsScanIsStoppedIsLetGo() async throws {
    let source = SlowSource(mayBegin: false)
    let local = LunaLocal(store: InMemoryDeviceStore()) { source }
    let scan = try await local.scan()
    async let started: Void = scan.start()
    try await source.isAsked.until { $0 }
    await scan.stop()
    source.begin()
    try await started
    #expect(!source.isListening.value)
  }

  /// An adapter that dies and comes back, what was lost meanwhile, and the end of it.
  @Test func whatTheRadioDoesIsTold() async throws {
    let source = ScriptedSource([])
    let clock = SteppedClock()
    let local = LunaLocal(store: InMemoryDeviceStore(), clock: clock.clock) { source }
    let called = Mutex<[ListeningUpdate]>([])
    local.onListeningUpdate = { update in called.withLock { $0.append(update) } }
    var updates = local.listeningUpdates.makeAsyncIterator()
    local.startScanning()
    #expect(await updates.next() == .listening)
    source.tell(.scanning)
    source.tell(.recovering(reason: "hci0 is gone"))
    #expect(await updates.next() == .recovering(reason: "hci0 is gone"))
    source.tell(.starting)
    source.tell(.scanning)
    #expect(await updates.next() == .listening)
    source.lose { $0.kernelDrops = 45 }
    await clock.sleeper(for: LossWatch.tick)
    clock.pass(.seconds(1))
    #expect(await updates.next() == .dropped(reason: "kernel", count: 45))
    source.lose {
      $0.kernelDrops = 47
      $0.damagedRecords = 1
    }
    await clock.sleeper(for: LossWatch.tick)
    clock.pass(.seconds(1))
    #expect(await updates.next() == .dropped(reason: "kernel", count: 2))
    #expect(await updates.next() == .dropped(reason: "damaged", count: 1))
    source.tell(.lost(reason: "hci0 does not come back"))
    #expect(await updates.next() == .lost(reason: "hci0 does not come back"))
    await local.stop()
    #expect(await updates.next() == nil)
    while called.withLock({ $0.count }) < 7 { await Task.yield() }
    #expect(called.withLock { $0.first } == .listening)
  }

  /// No second passes: what was lost since the last one, and what the radio counts when it is let go.
  @Test func stoppingTellsTheRestOfTheLosses() async throws {
    let source = ScriptedSource([])
    let local = LunaLocal(store: InMemoryDeviceStore(), clock: SteppedClock().clock) { source }
    let called = Mutex<[ListeningUpdate]>([])
    local.onListeningUpdate = { update in called.withLock { $0.append(update) } }
    var updates = local.listeningUpdates.makeAsyncIterator()
    local.startScanning()
    #expect(await updates.next() == .listening)
    source.lose { $0.queueDrops = 12 }
    source.losesAtTheEnd { $0.unfinishedFragments = 3 }
    await local.stop()
    #expect(await updates.next() == .dropped(reason: "queue", count: 12))
    #expect(await updates.next() == .dropped(reason: "unfinished", count: 3))
    #expect(await updates.next() == nil)
    while called.withLock({ $0.count }) < 3 { await Task.yield() }
  }

  @Test func whoIsSlowIsToldOfWhatWasLost() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let batch = (0..<1100).map { tracker.report(at: start + 10 * Int64($0)) }
    let source = ScriptedSource([batch])
    let local = LunaLocal(store: InMemoryDeviceStore(devices: [tracker.device])) { source }
    let updates = local.updates
    var listening = local.listeningUpdates.makeAsyncIterator()
    local.startScanning([tracker.device])
    #expect(await listening.next() == .listening)
    #expect(await listening.next() == .dropped(reason: DropReason.updates, count: 76))
    await local.stop()
    var count = 0
    for await _ in updates { count += 1 }
    #expect(count == 1024)
  }

  /// The time of a recording is not now: neither its clocks nor its sightings are kept.
  @Test func aRecordingTeachesTheStoreNothing() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let store = InMemoryDeviceStore(devices: [tracker.device])
    let later = start + 100 * 86_400_000
    let source = ScriptedSource([[tracker.report(at: later)]])
    var configuration = LocalConfiguration()
    configuration.isRecording = true
    let local = LunaLocal(store: store, configuration: configuration) { source }
    var updates = local.updates.makeAsyncIterator()
    local.startScanning([tracker.device])
    #expect(await updates.next()?.event == .appeared)
    await local.stop()
    #expect(store.clockStates().isEmpty)
    #expect(store.lastSightings().isEmpty)
  }

  /// What is known of the clock of a tracker whose onboarding has not ended counts for it, too.
  @Test func clocksOfPendingTrackersAreRestored() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let store = InMemoryDeviceStore(devices: [tracker.device])
    try store.addPending(
      PendingOnboarding(device: try SimulatedTracker(2).device, hint: ESF(value: 1)))
    let pending = try SimulatedTracker(2).device
    let interval = ClockInterval(low: 3_600_000, high: 3_601_000, time: start)
    let memory = try await FollowerMemory(of: store)
    #expect(memory.pending == [pending])
    let follower = try TrackerFollower([tracker.device])
    follower.recall(
      FollowerMemory(pending: [pending], clocks: [pending.uuid: ClockState(interval: interval)]))
    let late = try SimulatedTracker(2)
    late.offset = 3_600_500
    let local = follower.follow(pending: pending)
    _ = follower.hear(late.report(at: start))
    #expect(local.timedOut == false, "an hour ahead is where it is expected")
    #expect(local.snapshot.isProvisional == false)
  }

  @Test func aSourceThatFailsIsTold() async throws {
    let fault = SourceError(.noAdapter, "there is no adapter")
    let local = LunaLocal(store: InMemoryDeviceStore()) { ScriptedSource([], fault: fault) }
    let (errors, continuation) = AsyncStream.makeStream(of: String.self)
    local.onError = { continuation.yield("\($0)") }
    local.startScanning()
    var iterator = errors.makeAsyncIterator()
    #expect(await iterator.next() == "there is no adapter")
    await local.stop()
  }

  @Test func silenceTimesOutByTheClockThatGoesOn() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let source = ScriptedSource([[tracker.report(at: start)]])
    let elapsed = Mutex(Duration.zero)
    let base = Timestamp(unixMilliseconds: start)
    let clock = WallClock(
      now: { base }, elapsed: { elapsed.withLock { $0 } },
      sleep: { duration in
        try await Task.sleep(for: .milliseconds(2))
        elapsed.withLock { $0 += duration }
      })
    let local = LunaLocal(store: InMemoryDeviceStore(), clock: clock) { source }
    var configured = local.updates.makeAsyncIterator()
    local.startScanning([tracker.device])
    var events: [LocalUpdate.Event] = []
    while events.last != .timedOut, let update = await configured.next() {
      events.append(update.event)
    }
    #expect(events == [.appeared, .timedOut])
    await local.stop()
  }
}
