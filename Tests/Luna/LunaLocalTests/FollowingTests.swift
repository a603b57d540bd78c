import Bluetooth
import LunaCore
import LunaCrypto
import LunaLocal
import LunaProtocol
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FollowingTests {
  let start: Int64 = 1_750_000_000_000

  @Test func devicesAreThereEmptyBeforeTheyAreHeard() throws {
    let tracker = try SimulatedTracker(1)
    let follower = try TrackerFollower([tracker.device])
    let local = try #require(follower.devices.first)
    #expect(local.uuid == tracker.device.uuid)
    #expect(local.name == "tracker 1")
    #expect(local.identifier == tracker.device.uuid.description)
    #expect(local.timedOut == nil && local.rssi == nil && local.eid == nil)
  }

  @Test func theSameObjectThroughRotations() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    let local = try #require(follower.devices.first)
    var events: [LocalUpdate.Event] = []
    var addresses: Set<String> = []
    for second in stride(from: Int64(0), to: 6 * 1024, by: 10) {
      for update in follower.hear(tracker.report(at: start + 1000 * second)) {
        #expect(update.device === local)
        events.append(update.event)
        addresses.insert(update.device.identifier)
      }
    }
    #expect(events.first == .appeared)
    #expect(events.filter { $0 == .rotated }.count >= 5)
    #expect(!events.contains(.timedOut))
    #expect(local.timestampedEids.count == addresses.count)
    #expect(local.timestampedEids.count >= 6)
    #expect(local.timestampedEids.allSatisfy { $0.drift == 0 && $0.expectedAt == $0.receivedAt })
    #expect(local.heid?.count == 32)
    #expect(follower.devices.count == 1)
  }

  @Test func identifiersAreKeptUpTo256() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    for period in 0..<300 {
      _ = follower.hear(tracker.report(at: start + Int64(period) * Period.milliseconds + 500_000))
    }
    let eids = try #require(follower.devices.first).timestampedEids
    #expect(eids.count == 256)
    #expect(Set(eids.map(\.eid)).count == 256)
  }

  @Test func silenceTimesOut() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    _ = follower.hear(tracker.report(at: start))
    var updates: [LocalUpdate] = []
    follower.advance(to: Timestamp(unixMilliseconds: start + 59_999), into: &updates)
    #expect(updates.isEmpty)
    follower.advance(to: Timestamp(unixMilliseconds: start + 60_000), into: &updates)
    #expect(updates.map(\.event) == [.timedOut])
    #expect(follower.devices.first?.timedOut == true)
    #expect(follower.hear(tracker.report(at: start + 70_000)).map(\.event) == [.appeared])
    #expect(follower.devices.first?.timedOut == false)
  }

  @Test func iBeaconFramesAreRecognisedByAddressAndByHEID() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    // Nothing but the prefix is known yet.
    let first = follower.hear(tracker.iBeacon(at: start))
    #expect(first.map(\.event) == [.appeared])
    #expect(first.first?.device.uuid == tracker.device.uuid)
    #expect(first.first?.state.eid == nil)
    #expect(follower.hear(tracker.report(at: start + 1000)).map(\.event) == [.rotated])
    #expect(follower.hear(tracker.iBeacon(at: start + 2000)).map(\.event) == [.seen])
    #expect(follower.devices.count == 1)
  }

  @Test func theStatusIsKept() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    tracker.battery = .critical
    let first = follower.hear(tracker.report(at: start)).first
    #expect(first?.state.status?.battery == .critical && first?.state.status?.isSounding == false)
    tracker.isSounding = true
    let second = follower.hear(tracker.report(at: start + 1000)).first
    #expect(second?.state.status?.isSounding == true)
    // Another kind of frame says nothing of it.
    let third = follower.hear(tracker.iBeacon(at: start + 2000)).first
    #expect(third?.state.status?.isSounding == true)
  }

  @Test func batteryComesFromTheStatus() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    _ = follower.hear(tracker.report(at: start))
    #expect(follower.devices.first?.batteryLowLevel == false)
    tracker.battery = .low
    let told = follower.hear(tracker.report(at: start + 1000))
    #expect(told.map(\.event) == [.seen, .batteryLow])
    #expect(told.last?.state.batteryLowLevel == true)
    #expect(follower.devices.first?.batteryLowLevel == true)
    // Once.
    #expect(follower.hear(tracker.report(at: start + 1500)).map(\.event) == [.seen])
    tracker.battery = .unknown
    _ = follower.hear(tracker.report(at: start + 2000))
    #expect(follower.devices.first?.batteryLowLevel == nil)
    #expect(follower.devices.first?.snapshot.flagsDiffer == false)
  }

  @Test func clearFlagsThatWereAlteredAreShown() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    let period = tracker.period(at: start)
    var frame = tracker.frame(of: period)
    frame.isSeparated = true
    let bytes = frame.encoded
    _ = follower.hear(
      makeReport(bytes.indices.map { bytes[$0] }, tracker.address(of: period), start))
    #expect(follower.devices.first?.snapshot.flagsDiffer == true)
    #expect(follower.devices.first?.snapshot.separated == true)
  }

  @Test func clocksAreKeptAcrossRestarts() throws {
    let tracker = try SimulatedTracker(1, onboarding: start, ppm: 150)
    let later = start + 200 * 86_400_000
    let first = try TrackerFollower([tracker.device])
    _ = first.hear(tracker.report(at: later))
    #expect(first.hasNews)
    let clocks = first.takeClocks()
    #expect(clocks[tracker.device.uuid] != nil)
    #expect(!first.hasNews)
    let second = try TrackerFollower([tracker.device])
    second.restore(clocks)
    let update = try #require(second.hear(tracker.report(at: later + 1000)).first)
    #expect(update.event == .appeared)
    let clock = try #require(update.state.clock)
    #expect(clock.high - clock.low < 1300)
  }

  @Test func aWrongCounterByteIsNotTheTracker() throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let follower = try TrackerFollower([tracker.device])
    var frame = tracker.frame(of: tracker.period(at: start))
    frame.keyRollingCounter &+= 1
    let bytes = frame.encoded
    let updates = follower.hear(
      makeReport(bytes.indices.map { bytes[$0] }, BluetoothAddress(value: 0xC0_0000_0000_01), start)
    )
    #expect(updates.first?.device.uuid == nil)
  }
}
