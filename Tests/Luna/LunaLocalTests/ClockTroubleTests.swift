import Bluetooth
import LunaCore
import LunaCrypto
import LunaLocal
import LunaProtocol
import Testing

/// Clocks that are wrong, and trackers that are not what they seem.
@Suite(.timeLimit(.minutes(10)))
struct ClockTroubleTests {
  let start: Int64 = 1_750_000_000_000
  let day: Int64 = 86_400_000

  /// Hears a tracker every ten minutes; returns what happened to its device.
  private func follow(
    _ follower: TrackerFollower, _ tracker: SimulatedTracker, from: Int64, periods: Int,
    ownerAhead: Int64 = 0
  ) -> [LocalUpdate] {
    var own: [LocalUpdate] = []
    for step in 0..<(periods * 2) {
      let time = from + Int64(step) * 512_000
      let report = tracker.report(of: tracker.period(at: time), at: time + ownerAhead)
      own += follower.hear(report).filter { $0.device.uuid == tracker.device.uuid }
    }
    return own
  }

  @Test func aTrackerThatLostPowerIsFoundAndBelievedAfterThreePeriods() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    tracker.offset = -3 * day  // three days without power
    let updates = follow(follower, tracker, from: start + 10 * day, periods: 4)
    let heard = updates.filter { $0.event != .timedOut }
    #expect(heard.count == 8)
    let first = try #require(heard.first)
    #expect(first.state.isProvisional)
    #expect(abs((first.drift ?? 0) - 3 * 86_400) < 1300)
    let last = try #require(heard.last)
    #expect(!last.state.isProvisional)
    let clock = try #require(last.state.clock)
    #expect(clock.low <= -3 * 86_400 && -3 * 86_400 <= clock.high)
    #expect(
      follower.takeProblems().contains {
        if case .clockDisagrees(tracker.device.uuid, let seconds) = $0 {
          seconds < 0
        } else {
          false
        }
      })
  }

  /// Whoever was given the status could forge what is believed.
  @Test func whereTheStatusIsSharedNoOtherClockIsBelieved() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    let end = start + 10 * day + 8 * 512_000
    follower.recall(
      FollowerMemory(
        pending: [], clocks: [:],
        sharedStatus: [tracker.device.uuid: Timestamp(unixMilliseconds: end)]))
    tracker.offset = -3 * day
    let shared = follow(follower, tracker, from: start + 10 * day, periods: 4)
      .filter { $0.event != .timedOut }
    #expect(shared.count == 8 && shared.allSatisfy { $0.state.isProvisional })
    // Once that is over it is found as ever.
    let after = follow(follower, tracker, from: end, periods: 2)
    #expect(after.last?.state.isProvisional == false)
  }

  @Test func aReplayedPeriodStaysProvisional() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    _ = follower.hear(tracker.report(at: start + 1000))
    let recording = tracker.period(at: start + 2 * day)
    for step in 0..<200 {
      let time = start + 20 * day + Int64(step) * 60_000
      for update in follower.hear(tracker.report(of: recording, at: time))
      where update.device.uuid == tracker.device.uuid && update.event != .timedOut {
        #expect(update.state.isProvisional)
        #expect((update.drift ?? 0) > 17 * 86_400)
      }
    }
    let after = follower.takeClocks()[tracker.device.uuid]
    #expect(after?.provisional?.distinctPeriods == 1)
    #expect(after?.interval.time == start)
  }

  @Test func aForgedFrameOfAnOldPeriodIsIgnored() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    var frame = tracker.frame(of: tracker.period(at: start + 2 * day))
    frame.esf = ESF(value: frame.esf.value ^ 1)
    let bytes = frame.encoded
    let report = makeReport(
      bytes.indices.map { bytes[$0] }, BluetoothAddress(value: 0xC0_0000_0000_01), start + 20 * day)
    #expect(follower.hear(report).allSatisfy { $0.device.uuid == nil })
  }

  @Test(arguments: [-86_400, 365 * 86_400] as [Int64])
  func theOwnersClockIsSetWhileFollowing(_ seconds: Int64) throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    _ = follow(follower, tracker, from: start, periods: 3)
    follower.ownerClockStepped(by: .seconds(seconds))
    let updates = follow(
      follower, tracker, from: start + 4_000_000, periods: 3, ownerAhead: 1000 * seconds)
    #expect(updates.filter { $0.event != .timedOut }.count == 6)
    #expect(updates.allSatisfy { !$0.state.isProvisional })
    let clock = try #require(updates.last?.state.clock)
    #expect(clock.low <= Double(-seconds) && Double(-seconds) <= clock.high)
    #expect(clock.high - clock.low < 1300)
    #expect(follower.takeProblems() == [.ownerClockStepped(seconds: seconds)])
    // And back again: nothing was lost.
    follower.ownerClockStepped(by: .seconds(-seconds))
    let back = follow(follower, tracker, from: start + 9_000_000, periods: 2)
    #expect(back.filter { $0.event != .timedOut }.count == 4)
    #expect(back.allSatisfy { !$0.state.isProvisional })
  }

  @Test func aClockThatIsBehindWhatIsOnRecordIsNamed() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let first = try TrackerFollower([tracker.device])
    _ = follow(first, tracker, from: start + 100 * day, periods: 3)
    let clocks = first.takeClocks()
    // The machine starts a day behind.
    let second = try TrackerFollower([tracker.device])
    second.restore(clocks)
    let updates = follow(
      second, tracker, from: start + 100 * day + 5_000_000, periods: 5, ownerAhead: -day)
    #expect(updates.filter { $0.event != .timedOut }.count == 10)
    let problems = second.takeProblems()
    #expect(
      problems.contains { if case .clockBehindRecords = $0 { true } else { false } })
    // That is how the clocks are at present; it is shown, and not believed.
    let last = try #require(updates.last?.state)
    let clock = try #require(last.clock)
    #expect(clock.low <= 86_400 && 86_400 <= clock.high)
    #expect(last.isProvisional)
    // What was older than the state moved nothing (PROTOCOL.md, 11.3, rule 1): when the clock is put
    // right, all is as before.
    #expect(second.takeClocks().isEmpty)
    let third = try TrackerFollower([tracker.device])
    third.restore(clocks)
    let right = follow(third, tracker, from: start + 101 * day, periods: 1)
      .filter { $0.event != .timedOut }
    #expect(right.count == 2 && right.allSatisfy { !$0.state.isProvisional })
  }

  /// A clock that was a year ahead when the state was stored, and is right now.
  @Test func aStateFromTheFutureStaysAndTheTrackerIsFollowed() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let first = try TrackerFollower([tracker.device])
    _ = follow(first, tracker, from: start + 5 * day, periods: 4, ownerAhead: 365 * day)
    let clocks = first.takeClocks()
    #expect(try #require(clocks[tracker.device.uuid]).interval.time > start + 365 * day)
    let second = try TrackerFollower([tracker.device])
    second.restore(clocks)
    let updates = follow(second, tracker, from: start + 10 * day, periods: 6)
    let heard = updates.filter { $0.event != .timedOut }
    #expect(heard.count == 12)
    #expect(heard.allSatisfy { $0.state.isProvisional && $0.drift == 0 })
    let clock = try #require(heard.last?.state.clock)
    #expect(clock.low <= 0 && 0 <= clock.high && clock.high - clock.low < 1300)
    #expect(second.takeClocks().isEmpty)
    #expect(
      second.takeProblems().contains { if case .clockBehindRecords = $0 { true } else { false } })
  }

  @Test func aClockThatIsAYearAheadAtTheStartFindsAllTrackers() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    let updates = follow(
      follower, tracker, from: start + 5 * day, periods: 5, ownerAhead: 365 * day)
    #expect(updates.filter { $0.event != .timedOut }.count == 10)
    #expect(updates.last?.state.isProvisional == false)
  }

  @Test func anOldRecordingChangesNothing() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let first = try TrackerFollower([tracker.device])
    _ = follow(first, tracker, from: start + 50 * day, periods: 2)
    let clocks = first.takeClocks()
    var configuration = LocalConfiguration()
    configuration.isRecording = true
    let second = try TrackerFollower([tracker.device], configuration: configuration)
    second.restore(clocks)
    let updates = follow(second, tracker, from: start + 20 * day, periods: 5)
    #expect(updates.filter { $0.event != .timedOut }.count == 10)
    #expect(second.takeClocks().isEmpty)
    #expect(second.takeProblems().isEmpty)
  }

  @Test func twoDevicesWithOneKeyAreBothShown() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let key = try #require(tracker.device.masterKey)
    let copy = Device(
      uuid: DeviceUUID(high: 1, low: 2), masterKey: key,
      onboardingTimestamp: tracker.device.onboardingTimestamp, name: "copy")
    let follower = try TrackerFollower([tracker.device, copy])
    let updates = follower.hear(tracker.report(at: start))
    #expect(Set(updates.map(\.device.uuid)) == [tracker.device.uuid, copy.uuid])
    #expect(follower.takeProblems() == [.sameKey(tracker.device.uuid, copy.uuid)])
    #expect(follower.takeProblems().isEmpty)
  }

  @Test func aCopyOfATrackerIsNamedOnce() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    let bytes = tracker.frame(of: tracker.period(at: start)).encoded
    let data = bytes.indices.map { bytes[$0] }
    for step in 0..<6 {
      let address = BluetoothAddress(value: 0xC000_0000_0001 + UInt64(step % 2))
      _ = follower.hear(makeReport(data, address, start + Int64(step) * 1000))
    }
    #expect(follower.takeProblems() == [.twoSenders(tracker.device.uuid)])
  }

  @Test func protocolTimeMayRunFaster() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    var configuration = LocalConfiguration()
    configuration.time = ProtocolTime(epoch: Timestamp(unixMilliseconds: start), speed: 100)
    let follower = try TrackerFollower([tracker.device], configuration: configuration)
    var rotations = 0
    for second in 0..<60 {
      let real = start + Int64(second) * 1000
      let period = tracker.period(at: start + Int64(second) * 100_000)
      for update in follower.hear(tracker.report(of: period, at: real)) {
        #expect(update.drift == 0)
        if update.event == .rotated { rotations += 1 }
        #expect(update.event != .timedOut)
      }
    }
    #expect(rotations >= 4)
  }
}
