import Bluetooth
import LunaCore
import LunaLocal
import LunaProtocol
import LunaShare
import LunaTesting
import Testing

/// What another part of the program, or another process, changes in the store while a scan is on.
@Suite(.timeLimit(.minutes(10)))
struct StoreNewsTests {
  /// The start of a period.
  private let start: Int64 = 1_709_000 * 1_024_000
  private let day: Int64 = 86_400_000

  /// A tracker whose clock is three days behind, and what it has proven of its clock once that was set.
  private func setTracker(
    at time: Int64
  ) throws -> (tracker: SimulatedTracker, proven: ClockState) {
    let tracker = try SimulatedTracker(1, onboarding: start)
    tracker.offset = -3 * day
    let proven = ClockState(interval: ClockInterval(low: -1000, high: 0, time: time))
    return (tracker, proven)
  }

  @Test func whatATrackerHasProvenIsNotOverwritten() async throws {
    let now = start + 10 * day
    let (tracker, proven) = try setTracker(at: now + 500)
    let store = InMemoryDeviceStore(devices: [tracker.device])
    let local = LunaLocal(store: store) { ScriptedSource([]) }
    let scan = try await local.scan([tracker.device])
    try await scan.start()
    let updates = scan.follow([tracker.report(at: now)])
    #expect(updates.map(\.state.isProvisional) == [true])
    store.save([tracker.device.uuid: proven])
    await scan.stop()
    #expect(store.clockStates() == [tracker.device.uuid: proven])
  }

  @Test func whatATrackerHasProvenReplacesWhatWasHeard() throws {
    let now = start + 10 * day
    let (tracker, proven) = try setTracker(at: now + 500)
    let follower = try TrackerFollower([tracker.device])
    _ = follower.hear(tracker.report(at: now))
    follower.note(kept: follower.takeClocks())
    // What is kept here is no news.
    let uuid = tracker.device.uuid
    let before = ClockState(interval: ClockInterval(low: -2000, high: 1000, time: start))
    let none = follower.takeUp([uuid: before])
    #expect(none.isEmpty)
    let taken = follower.takeUp([uuid: proven])
    #expect(taken == [uuid])
    tracker.offset = 0
    let updates = follower.hear(tracker.report(at: now + 1000))
    #expect(updates.map(\.device.uuid) == [uuid])
    #expect(updates.allSatisfy { !$0.state.isProvisional })
    // Nor is what is older.
    let old = ClockState(interval: ClockInterval(low: -5000, high: 5000, time: now - 3_600_000))
    let late = follower.takeUp([uuid: old])
    #expect(late.isEmpty)
  }

  /// Two programs of one machine hear the same trackers, and each keeps what it has learned.
  @Test func whatAnotherProgramHasHeardCountsWhereItSaysMore() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let uuid = tracker.device.uuid
    let now = start + day
    let follower = try TrackerFollower([tracker.device])
    follower.restore([
      uuid: ClockState(interval: ClockInterval(low: -2000, high: 2000, time: now))
    ])
    _ = follower.hear(tracker.report(at: now + 30_000))
    func takesUp(_ low: Int64, _ high: Int64, after seconds: Int64) -> Bool {
      let clock = ClockInterval(low: low, high: high, time: now + 1000 * seconds)
      return follower.takeUp([uuid: ClockState(interval: clock)]) == [uuid]
    }
    #expect(!takesUp(-60_000, 90_000, after: 0), "it knows less")
    #expect(!takesUp(-60_000, 90_000, after: 5), "it knows less, and since later")
    #expect(!takesUp(5, -5, after: 5), "it knows nothing")
    #expect(takesUp(-60_000, 100, after: 6), "it knows one bound better")
    #expect(takesUp(-100, 100, after: 7), "it knows more")
    #expect(!takesUp(-60_000, 200, after: 8), "it knew less")
    #expect(takesUp(9000, 99_000, after: 9), "the clock was set")
  }

  /// What is not believed yet is counted by who has heard it.
  @Test(arguments: [false, true])
  func theTrackOfAnotherProgramIsNotTakenUp(hasOne: Bool) throws {
    let now = start + 10 * day
    let (tracker, _) = try setTracker(at: now)
    let uuid = tracker.device.uuid
    let follower = try TrackerFollower([tracker.device])
    let before = now - 1_024_000
    if hasOne { _ = follower.hear(tracker.report(at: before)) }
    let period = tracker.period(at: before)
    let track = ProvisionalTrack(
      interval: ClockInterval(period: period, heardAt: before), lastPeriod: period,
      distinctPeriods: 2)
    let better = ClockInterval(low: -100, high: 100, time: start)
    let taken = follower.takeUp([uuid: ClockState(interval: better, provisional: track)])
    #expect(taken == [uuid])
    // The first or the second period of its own; with two of another it would be the third.
    let updates = follower.hear(tracker.report(at: now))
    #expect(updates.last?.state.isProvisional == true)
  }

  /// Sightings and clocks are written far more often than devices.
  @Test func devicesAreReadAgainWhereTheyHaveChanged() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let uuid = tracker.device.uuid
    let store = DigestedStore([tracker.device])
    let local = LunaLocal(store: store) { ScriptedSource([]) }
    let scan = try await local.scan([tracker.device])
    try await scan.start()
    // Rings, and returns when the scan has looked at the clocks, which it does last.
    func rename(_ name: String) async throws {
      let before = store.counts.value.clockReadings
      _ = store.inner.rename(uuid, to: name)
      try await store.counts.until { $0.clockReadings > before }
    }
    try await rename("keys")
    #expect(scan.devices.map(\.name) == ["keys"])
    let readings = store.counts.value.readings
    try await rename("bag")
    try await rename("purse")
    #expect(store.counts.value.readings == readings)
    store.counts.withLock { $0.digest += 1 }
    try await rename("bike")
    #expect(store.counts.value.readings == readings + 1)
    #expect(scan.devices.map(\.name) == ["bike"])
    await scan.stop()
  }

  /// A share that its owner has given for longer has the uuid that it had.
  @Test func whatIsSharedForLongerIsFollowedOn() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start - day)
    func share(periods: UInt32) throws -> Device {
      let first = UInt32(start / 1_024_000)
      let shared = try SharedPeriods(
        of: try present(tracker.device.masterKey),
        periods: PeriodRange(first: first, last: first + periods - 1), rights: ShareRights(),
        until: start / 1000 + Int64(periods) * 1024)
      return Device(
        uuid: DeviceUUID(high: 0xBEEF, low: 1), keys: .lunaShared(shared),
        onboardingTimestamp: Timestamp(unixMilliseconds: start), name: "of Anna")
    }
    let (short, long) = (try share(periods: 10), try share(periods: 90))
    let store = InMemoryDeviceStore(devices: [short])
    let source = ScriptedSource([])
    let local = LunaLocal(store: store) { source }
    let (changes, change) = AsyncStream.makeStream(of: [LocalDevice].self)
    local.onDevicesUpdate = { change.yield($0) }
    try await local.start([short])
    let former = try #require(local.devices.first)
    store.put([long])
    for await devices in changes where devices.count == 1 && devices.first !== former { break }
    let updates = local.updates
    source.give([tracker.report(at: start + 20 * 1_024_000)])
    for await update in updates {
      #expect(update.device.uuid == long.uuid)
      break
    }
    await local.stop()
  }
}
