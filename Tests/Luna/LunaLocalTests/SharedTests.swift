import Bluetooth
import LunaCore
import LunaCrypto
import LunaLocal
import LunaProtocol
import LunaShare
import Testing

/// Trackers that somebody else has shared (SHARING.md).
@Suite(.timeLimit(.minutes(10)))
struct SharedTests {
  /// The start of a period.
  let start: Int64 = 1_709_000 * 1_024_000

  private func share(
    _ tracker: SimulatedTracker, periods: UInt32 = 90, rights: ShareRights = ShareRights(),
    until: Int64? = nil, number: UInt64 = 1
  ) throws -> Device {
    let first = UInt32(start / 1_024_000)
    let masterKey = try present(tracker.device.masterKey)
    let shared = try SharedPeriods(
      of: masterKey, periods: PeriodRange(first: first, last: first + periods - 1),
      rights: rights, until: until ?? start / 1000 + 90 * 1024)
    return Device(
      uuid: DeviceUUID(high: 0xBEEF, low: number), keys: .lunaShared(shared),
      onboardingTimestamp: Timestamp(unixMilliseconds: start), name: "of Anna")
  }

  private func follower(_ device: Device, clock: ClockInterval? = nil) throws -> TrackerFollower {
    let follower = try TrackerFollower([device])
    let interval = clock ?? ClockInterval(low: 0, high: 0, time: start)
    follower.restore([device.uuid: ClockState(interval: interval)])
    return follower
  }

  @Test(arguments: [false, true])
  func itIsRecognisedThroughRotations(status: Bool) throws {
    let tracker = try SimulatedTracker(1, onboarding: start - 86_400_000)
    let device = try share(tracker, rights: ShareRights(status: status))
    let follower = try follower(device)
    let local = try #require(follower.devices.first)
    var rotations = 0
    for second in stride(from: Int64(300), to: 20 * 1024, by: 20) {
      for update in follower.hear(tracker.report(at: start + 1000 * second)) {
        #expect(update.device === local)
        if update.event == .rotated { rotations += 1 }
      }
    }
    #expect(rotations >= 18)
    #expect(follower.devices.count == 1)
    #expect(local.snapshot.kind == .lunaShared)
    // Who was not given the status does not know the battery.
    #expect(local.batteryLowLevel == (status ? false : nil))
  }

  @Test func iBeaconFramesAreRecognisedByHEID() throws {
    let tracker = try SimulatedTracker(1, onboarding: start - 86_400_000)
    let follower = try follower(try share(tracker))
    let updates = follower.hear(tracker.iBeacon(at: start + 500_000))
    #expect(updates.first?.device.uuid == DeviceUUID(high: 0xBEEF, low: 1))
  }

  /// A frame of a period that is not shared is one of a stranger.
  @Test func periodsBeforeAndAfterAreNot() throws {
    let tracker = try SimulatedTracker(1, onboarding: start - 86_400_000)
    let device = try share(tracker, periods: 10, until: .max)
    for (period, isKnown) in [
      (-2, false), (-1, false), (0, true), (9, true), (10, false), (11, false),
    ] {
      let follower = try follower(device)
      let number = UInt32(start / 1_024_000 + Int64(period))
      for second in [300, 400, 600] as [Int64] {
        let time = start + Int64(period) * 1_024_000 + second * 1000
        let updates = follower.hear(tracker.report(of: number, at: time))
        #expect(updates.first.map { $0.device.uuid == device.uuid } == isKnown, "\(period)")
      }
    }
  }

  @Test func itEndsAtItsSecond() throws {
    let tracker = try SimulatedTracker(1, onboarding: start - 86_400_000)
    let until = start / 1000 + 2000
    let device = try share(tracker, until: until)
    let follower = try follower(device)
    func isKnown(_ time: Int64) -> Bool {
      follower.hear(tracker.report(at: time)).contains { $0.device.uuid == device.uuid }
    }
    #expect(isKnown(until * 1000 - 5000))
    #expect(isKnown(until * 1000 - 1))
    #expect(!isKnown(until * 1000))
    #expect(!isKnown(until * 1000 + 1000))
    #expect(
      !follower.hear(tracker.iBeacon(at: until * 1000 + 2000)).contains {
        $0.device.uuid == device.uuid
      })
  }

  /// A tracker whose clock is off by three periods is found by the wide search; with the status that
  /// has to be right, without it the identifier alone tells.
  @Test(arguments: [-3, 3] as [Int64], [false, true])
  func aClockThatIsOffIsFound(periods: Int64, status: Bool) throws {
    let tracker = try SimulatedTracker(1, onboarding: start - 86_400_000)
    tracker.offset = periods * 1_024_000
    let device = try share(tracker, rights: ShareRights(status: status))
    let follower = try follower(device)
    #expect(missed(follower, tracker, device, 8 * 1024, 14 * 1024).isEmpty)
    let drift = try #require(follower.takeClocks()[device.uuid]?.interval)
    #expect(drift.low <= tracker.offset && tracker.offset <= drift.high)
    #expect(drift.high - drift.low < 1_024_000)
  }

  /// Its owner sets its clock during the share, which nobody is told: it is found where it is now, and believed after
  /// three periods.
  @Test(arguments: [-3, 3] as [Int64], [false, true])
  func aClockThatIsSetAnewIsFollowed(periods: Int64, status: Bool) throws {
    let tracker = try SimulatedTracker(1, onboarding: start - 86_400_000)
    tracker.offset = periods * 1_024_000
    let device = try share(tracker, rights: ShareRights(status: status))
    let follower = try follower(
      device, clock: ClockInterval(low: tracker.offset, high: tracker.offset, time: start))
    #expect(missed(follower, tracker, device, 8 * 1024, 12 * 1024).isEmpty)
    let local = try #require(follower.devices.first)
    #expect(!local.snapshot.isProvisional)
    tracker.offset = 0
    // As long as it takes until it counts as silent, which is when it is looked for.
    let lost = missed(follower, tracker, device, 12 * 1024, 18 * 1024)
    #expect(!lost.isEmpty && lost.allSatisfy { $0 < 12 * 1024 + 120 }, "\(lost)")
    #expect(!local.snapshot.isProvisional)
    let clock = try #require(follower.takeClocks()[device.uuid]?.interval)
    #expect(clock.low <= 0 && 0 <= clock.high && clock.high - clock.low < 1_024_000)
  }

  /// The seconds at which a tracker is sent and not recognised, of some.
  private func missed(
    _ follower: TrackerFollower, _ tracker: SimulatedTracker, _ device: Device, _ first: Int64,
    _ end: Int64
  ) -> [Int64] {
    stride(from: first, to: end, by: 20).filter { second in
      !follower.hear(tracker.report(at: start + 1000 * second)).contains {
        $0.device.uuid == device.uuid && $0.event != .timedOut
      }
    }
  }

  /// A status that is not the owner's is not taken for a sighting beyond the window.
  @Test func aForgedStatusIsRefused() throws {
    let tracker = try SimulatedTracker(1, onboarding: start - 86_400_000)
    let device = try share(tracker, rights: ShareRights(status: true))
    let follower = try follower(device)
    let period = UInt32(start / 1_024_000) + 2
    var frame = tracker.frame(of: period)
    frame.esf = ESF(value: 0x010203)
    let bytes = frame.encoded
    for second in stride(from: Int64(9 * 1024), to: 9 * 1024 + 400, by: 20) {
      let report = makeReport(
        bytes.indices.map { bytes[$0] }, tracker.address(of: period), start + 1000 * second)
      #expect(!follower.hear(report).contains { $0.device.uuid == device.uuid })
    }
  }

  static let tables: [(ShareRights, UInt32)] = [
    (ShareRights(), 2531), (ShareRights(status: true), 90),
    (ShareRights(ring: RingRight(seconds: 12, perPeriod: 4)), 90),
    (ShareRights(status: true, ring: RingRight(seconds: 60, perPeriod: 8)), 90),
  ]

  /// Whatever they give, and however long they last: of the table of a share as much is in the index as can be heard.
  @Test(arguments: tables)
  func fiftySharesCostNoMoreThanFiftyOwnTrackers(rights: ShareRights, periods: UInt32) throws {
    func cost(_ devices: [Device], _ tracker: SimulatedTracker) throws -> (Int, Int) {
      let follower = try TrackerFollower(devices)
      follower.restore(
        Dictionary(
          devices.map {
            ($0.uuid, ClockState(interval: ClockInterval(low: 0, high: 0, time: start)))
          }
        ) { $1 })
      for second in stride(from: Int64(300), to: 4 * 1024, by: 50) {
        _ = follower.hear(tracker.report(at: start + 1000 * second))
      }
      let cost = follower.indexCost
      return (cost.entries, cost.bytes)
    }
    let trackers = try (1...50).map { try SimulatedTracker($0, onboarding: start - 86_400_000) }
    let shares = try trackers.enumerated().map {
      try share($1, periods: periods, rights: rights, number: UInt64($0))
    }
    #expect(shares.allSatisfy { $0.shared?.records.count == Int(periods) * rights.recordCount })
    let own = try cost(trackers.map(\.device), trackers[0])
    let shared = try cost(shares, trackers[0])
    // Each by its identifier, and by what iBeacon frames show.
    #expect(own.0 >= 100)
    #expect(shared.0 <= own.0)
    #expect(shared.1 <= own.1)
  }
}
