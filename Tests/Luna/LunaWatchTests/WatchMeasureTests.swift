import Beacons
import Bluetooth
import Testing

@testable import LunaWatch

/// The numbers of the rules, each from both sides.
@Suite struct WatchMeasureTests {
  /// How many identifiers are taken for those of one tracker: one of them is heard for half an hour, and after a pause
  /// the other.
  private func linked(after pause: Int, rssi: Int8 = -60, traits: UInt32 = 0) throws -> Int {
    var engine = WatchEngine(WatchSettings())
    let last = 1_800
    for second in 0..<5_400 {
      let time = Timestamp(microseconds: Int64(Stage.monday + second) * 1_000_000)
      engine.listen(at: time)
      let isFirst = second <= last
      guard isFirst ? second % 5 == 0 : second >= last + pause else { continue }
      engine.hear(
        WatchFrame(
          time: time, identifier: WatchIdentifier(.appleFindMy, isFirst ? 1 : 2),
          state: .separated, traits: isFirst ? 0 : traits, rssi: isFirst ? -60 : rssi))
    }
    engine.finish()
    let finding = engine.finding(of: WatchIdentifier(.appleFindMy, 2))
    return try #require(finding).identifiers.count
  }

  @Test func aLinkBridgesThirtySeconds() throws {
    #expect(try linked(after: 5) == 2)
    #expect(try linked(after: 30) == 2)
    #expect(try linked(after: 31) == 1)
  }

  @Test func aLinkBridgesTenDecibels() throws {
    #expect(try linked(after: 5, rssi: -50) == 2)
    #expect(try linked(after: 5, rssi: -70) == 2)
    #expect(try linked(after: 5, rssi: -49) == 1)
    #expect(try linked(after: 5, rssi: -71) == 1)
  }

  @Test func aLinkTakesTheSameClearFields() throws {
    #expect(try linked(after: 5, traits: 1) == 1)
  }

  /// One that gets on takes the place of one that gets off: within two minutes of where a trip begins or ends nothing is
  /// linked.
  @Test(arguments: [(470, 2), (481, 1), (495, 2), (505, 1)])
  func nothingIsLinkedAtTheEdgesOfATrip(minute: Int, count: Int) throws {
    var stage = Stage()
    stage.tags = [
      Stage.Tag(
        family: .smartTag, state: .separated, identifier: { $0 < minute ? 1 : 2 },
        isHeard: { _ in true })
    ]
    func identifiers() throws -> Int {
      var engine = WatchEngine(stage.settings)
      stage.live(0..<900, &engine)
      engine.finish()
      let finding = engine.finding(of: WatchIdentifier(.smartTag, 2))
      return try #require(finding).identifiers.count
    }
    #expect(try identifiers() == count)
    stage.settings.rules.remove(.noLinkAtEdges)
    #expect(try identifiers() == 2)
  }

  /// What is found until the afternoon of the first day.
  private func grades(
    place: @escaping (Int) -> Double? = Stage.day,
    isHeard: @escaping (Int) -> Bool = { _ in true }
  ) -> [WatchGrade] {
    var stage = Stage()
    stage.place = place
    stage.tags = [Stage.Tag(identifier: { _ in 1 }, isHeard: isHeard)]
    var engine = WatchEngine(stage.settings)
    stage.live(0..<900, &engine)
    engine.finish()
    return engine.takeFindings().map(\.grade)
  }

  @Test func aTripIsHeardInThreeOfFiveSlots() {
    // Of the 25 minutes of the ride.
    #expect(grades(isHeard: { !(492..<505).contains($0) }).isEmpty)
    #expect(grades(isHeard: { !(497..<505).contains($0) }) == [.notice, .suspect])
  }

  @Test func aTripIsMadeWithTenMinutesOfTheVisitAfterIt() {
    #expect(grades(isHeard: { $0 < 513 }) == [.notice])
    #expect(grades(isHeard: { $0 < 518 }) == [.notice, .suspect])
  }

  private static let rides: [(Double, [WatchGrade])] = [
    (450, []), (990, [.notice]), (1_010, [.notice, .suspect]),
  ]

  /// A ride of nine minutes to a place that is so far away.
  @Test(arguments: rides)
  func aTripHasFiveHundredMetresAndASuspectAThousand(metres: Double, expected: [WatchGrade]) {
    let found = grades(place: { min(max(0, Double($0 - 480) / 9), 1) * metres })
    #expect(found == expected)
  }

  /// Half an hour after a trip to where one has slept: known is what one has slept at for four nights.
  @Test(arguments: [(2, false), (3, true)])
  func aPlaceIsKnownAfterFourNights(day: Int, isAlarm: Bool) {
    var stage = Stage()
    stage.tags = [
      Stage.Tag(identifier: { _ in 1 }, isHeard: { $0 > day * 1_440 + 720 })
    ]
    let grades = Stage.grades(stage.findings(days: day + 1))
    #expect(grades == (isAlarm ? [.notice, .suspect, .alarm] : [.notice, .suspect]))
  }

  /// However many trips it makes meanwhile.
  @Test func anAlarmIsToldAgainAfterEightHours() throws {
    var stage = Stage()
    stage.tags = [Stage.planted()]
    stage.place = { minute in
      // There at 8 and 12 o'clock, back at 10 and 14.
      let now = Double(minute % 1_440)
      let rides: [(begin: Double, from: Double)] = [(480, 0), (600, 1), (720, 0), (840, 1)]
      guard let ride = rides.last(where: { $0.begin <= now }) else { return 0 }
      let share = min((now - ride.begin) / 25, 1)
      return 8_000 * (ride.from == 0 ? share : 1 - share)
    }
    let alarms = stage.findings(days: 2).filter { $0.grade == .alarm }
    // Of eight trips.
    #expect(alarms.count == 2)
    let (first, last) = (try #require(alarms.first), try #require(alarms.last))
    #expect(last.time.microseconds - first.time.microseconds >= 8 * 3_600_000_000)
  }

  @Test func possibleIsToldOnceInSevenDays() throws {
    var stage = Stage()
    stage.tags = [.newEachMinute]
    let findings = stage.findings(days: 9)
    #expect(findings.map(\.grade) == [.possible, .possible])
    let (first, last) = (try #require(findings.first), try #require(findings.last))
    #expect(last.time.microseconds - first.time.microseconds >= 7 * 86_400_000_000)
  }
}
