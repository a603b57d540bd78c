import Bluetooth
import LunaCore
import LunaCrypto
import LunaLocal
import LunaProtocol

/// A simulated year: trackers of 36 rates from -195 to +198 ppm, each met by four owners: every 5 to 15
/// minutes, daily, monthly, and twice with a year between. No sighting may be missed, none may need a
/// second witness, and what is known of a clock must always hold the truth.
enum YearSimulation {
  private static let start: Int64 = 1_700_000_123_000
  private static let year: Int64 = 366 * 86_400_000

  fileprivate enum Habit: CaseIterable {
    case often, daily, monthly, yearly

    func pause(_ generator: inout SeededGenerator) -> Int64 {
      switch self {
      case .often: .random(in: 300_000...900_000, using: &generator)
      case .daily: .random(in: 70_000_000...100_000_000, using: &generator)
      case .monthly: .random(in: 28...32, using: &generator) * 86_400_000
      case .yearly: YearSimulation.year - 120_000
      }
    }
  }

  fileprivate struct Tracker {
    let device: Device
    let rate: Int64
    let habit: Habit
    /// By how much its clock was late from the beginning: cut seconds, and their way to it.
    let offset: Int64
    var next: Int64
    var target: UInt32?
    var delay: Int64 = 0
    var frame: (period: UInt32, bytes: [UInt8])?
  }

  /// - Returns: whether all went well.
  static func run() throws -> Bool {
    var generator = SeededGenerator(state: 2026)
    var trackers: [Tracker] = []
    for number in 0..<36 {
      for habit in Habit.allCases {
        trackers.append(
          Tracker(
            device: Device(
              uuid: DeviceUUID(high: 36, low: UInt64(trackers.count)),
              keys: .luna(
                MasterKey(
                  bytes: InlineArray { _ in UInt8(truncatingIfNeeded: generator.next() >> 24) })),
              onboardingTimestamp: Timestamp(unixMilliseconds: start), name: "\(number) \(habit)"),
            rate: -195 + Int64(number) * 393 / 35, habit: habit,
            offset: -.random(in: 0...1999, using: &generator),
            next: start + .random(in: 1000...60_000, using: &generator)))
      }
    }
    let follower = try TrackerFollower(trackers.map(\.device))
    var frames = try CrowdFrames()
    var updates: [LocalUpdate] = []
    var sightings = 0
    var missed: [String] = []
    // Whoever is met next; those who are met often come one after the other.
    var queue = Schedule(trackers.indices.map { (trackers[$0].next, $0) })
    while let (time, index) = queue.first, time < start + year {
      let theta = trackers[index].offset + (time - start) * trackers[index].rate / 1_000_000
      let period = trackers[index].period(at: time + theta, &generator)
      if trackers[index].frame?.period != period, let key = trackers[index].device.masterKey {
        trackers[index].frame = (period, frames.frame(key, period))
      }
      follower.receive(
        AdvertisingReport(
          time: Timestamp(unixMilliseconds: time), adapter: 0,
          address: BluetoothAddress(value: 0xC000_0000_0000 | UInt64(index) << 32 | UInt64(period)),
          addressType: .random, payload: AdvertisingPayload(trackers[index].frame?.bytes ?? []),
          rssi: -60), into: &updates)
      sightings += 1
      let uuid = trackers[index].device.uuid
      let state = updates.last { $0.event != .timedOut && $0.device.uuid == uuid }?.state
      if let problem = fault(state, truth: Double(theta) / 1000) {
        missed.append("\(trackers[index].device.name) at \(time): \(problem)")
      }
      updates.removeAll(keepingCapacity: true)
      _ = follower.takeSightings()
      queue.replaceFirst(with: time + trackers[index].habit.pause(&generator))
    }
    for line in missed.prefix(10) { print("missed: \(line)") }
    let problems = follower.takeProblems()
    for problem in problems { print("problem: \(problem)") }
    let isGood = missed.isEmpty && problems.isEmpty && follower.counters.foreign == 0
    print("a year of \(trackers.count) trackers: \(sightings) sightings, \(missed.count) missed")
    return isGood && sightings > 1_800_000
  }

  private static func fault(_ state: LocalDevice.State?, truth: Double) -> String? {
    guard let state, let clock = state.clock else { return "not recognised" }
    if state.isProvisional { return "unproven" }
    if clock.low > clock.high { return "an empty interval" }
    return clock.low <= truth && truth <= clock.high
      ? nil : "\(truth) s is not in \(clock.low)...\(clock.high)"
  }
}

extension YearSimulation.Tracker {
  /// The period on the air when the tracker's clock shows a time; each change is delayed at random.
  fileprivate mutating func period(at clock: Int64, _ generator: inout SeededGenerator) -> UInt32 {
    let number = Period.number(at: clock)
    if number != target {
      target = number
      delay = .random(in: 0..<Period.rotationDelayLimit, using: &generator)
    }
    return Rotation.periodOnAir(clock: clock, delay: delay, minimumPeriod: 0)
  }
}

/// Who comes when: a heap with the earliest in front.
private struct Schedule {
  private var entries: [(time: Int64, index: Int)]

  init(_ entries: [(Int64, Int)]) { self.entries = entries.sorted { $0.0 < $1.0 } }

  var first: (Int64, Int)? { entries.first }

  /// The first one comes again at another time.
  mutating func replaceFirst(with time: Int64) {
    entries[0].time = time
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < entries.count && entries[child].time < entries[least].time { least = child }
      if least == place { return }
      entries.swapAt(place, least)
      place = least
    }
  }
}
