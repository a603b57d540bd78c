import LunaCore
import LunaProtocol

@testable import LunaFinder

/// A finder in a flood, in which ten trackers come after a while. They are heard every 2 s, at −60 dBm or
/// less.
struct FloodRun {
  /// When the trackers come, s.
  static let lead = 90
  static let trackers = UInt64(1)...10

  var driver = Driver(uploads: false)
  private(set) var flood: Flood
  private(set) var second = 0
  /// In which second each was reported first.
  private(set) var firstReports: [UInt64: Int] = [:]
  /// Who of the made-up ones was reported without a doubt.
  private(set) var believed: Set<UInt64> = []
  /// The most that were reported for the first time in one second, since there are too many.
  private(set) var most = 0
  /// How many were counted as lost.
  private(set) var lost = 0
  /// The most memory that the tables took.
  private(set) var memory = 0

  init(_ flood: Flood) {
    self.flood = flood
    driver.place()
  }

  /// How many of the made-up ones were reported.
  var madeUp: Int { firstReports.keys.count { $0 >= Flood.made } }

  /// How long it took until each tracker was reported, s.
  var delays: [UInt64: Int] {
    firstReports.filter { $0.key < Flood.made }.mapValues { $0 - FloodRun.lead }
  }

  mutating func pass(seconds: Int, isInventing: Bool = true) {
    for _ in 0..<seconds {
      let before = firstReports.count
      let wereTooMany = driver.machine.newcomers.areTooMany
      for time in stride(from: 0, to: 1000, by: Flood.step) {
        for number in flood.next(isInventing: isInventing) { hear(number, flood.strength) }
        for tracker in FloodRun.trackers {
          let passed = (second - FloodRun.lead) * 1000 + time - Int(tracker) * 150
          guard passed >= 0, passed % 2000 == 0 else { continue }
          hear(tracker, tracker.isMultiple(of: 2) ? -60 : -90 + Int(tracker))
        }
        driver.pass(.milliseconds(Flood.step))
      }
      take(driver.send(.timePassed))
      if wereTooMany { most = max(most, firstReports.count - before) }
      memory = max(memory, TableMemory.bytes(of: driver.machine))
      second += 1
    }
  }

  mutating func stop() {
    take(driver.send(.stop))
    take(driver.send(.queued([:], waiting: 0)))
  }

  private mutating func take(_ actions: [FinderAction]) {
    driver.actions = []
    lost += Driver.drops(in: actions)[DropReason.crowd] ?? 0
    for sighting in Driver.seals(in: actions) {
      let number = sighting.heard.frame.eid.value
      firstReports[number] = firstReports[number] ?? second
      if number >= Flood.made, !sighting.isDoubtful { believed.insert(number) }
    }
  }

  private mutating func hear(_ number: UInt64, _ rssi: Int) {
    take(driver.hear(number, rssi: rssi))
  }
}
