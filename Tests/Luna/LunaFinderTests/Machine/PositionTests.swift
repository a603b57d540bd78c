import Bluetooth
import LunaCore
import LunaProtocol
import Testing

@testable import LunaFinder

@Suite struct PositionTests {
  /// About so many m north of 52°.
  private func north(_ metres: Double) -> Double { 52 + metres / 111_195 }

  @Test func reportsNothingWithoutAPositionAndCountsIt() {
    var driver = Driver()
    #expect(Driver.drops(in: driver.hear()) == [DropReason.noLocation: 1])
    // Once for each report that would have been made.
    driver.pass(.seconds(30))
    #expect(Driver.drops(in: driver.hear()).isEmpty)
    driver.pass(.seconds(30))
    #expect(Driver.drops(in: driver.hear()) == [DropReason.noLocation: 1])
    // The first position makes the first report, at once.
    driver.pass(.seconds(1))
    driver.place()
    #expect(Driver.seals(in: driver.hear()).count == 1)
  }

  @Test func keepsThePositionWithinTheMinimumDistance() throws {
    var driver = Driver()
    #expect(driver.locate(52).contains { if case .located = $0 { true } else { false } })
    driver.pass(.seconds(5))
    #expect(!driver.locate(north(9)).contains { if case .located = $0 { true } else { false } })
    let first = try #require(Driver.seals(in: driver.hear(1)).first)
    #expect(first.record.latitudeE7 == 520_000_000)
    driver.pass(.seconds(5))
    _ = driver.locate(north(11), accuracy: 3)
    let second = try #require(Driver.seals(in: driver.hear(2)).first)
    #expect(second.record.latitudeE7 == Int32((north(11) * 1e7).rounded()))
    #expect(second.record.horizontalAccuracyDecimetres == 30)
  }

  @Test func fixesNearbyKeepThePositionFresh() {
    var driver = Driver()
    for _ in 0..<10 {
      _ = driver.locate(north(1))
      driver.pass(.seconds(20))
    }
    #expect(Driver.seals(in: driver.hear()).count == 1)
  }

  @Test func takesSpeedAndCourseFromTheLastFix() throws {
    var driver = Driver()
    _ = driver.locate()
    var fix = LocationFix(latitude: north(2), longitude: 13, measuredAt: driver.moment.now)
    (fix.speed, fix.course) = (1.5, 90)
    driver.send(.location(.fix(fix)))
    let sighting = try #require(Driver.seals(in: driver.hear()).first)
    #expect(sighting.record.speedCentimetresPerSecond == 150)
    #expect(sighting.record.courseCentidegrees == 9000)
    #expect(sighting.record.latitudeE7 == 520_000_000)
  }

  @Test func aFixOlderThan30SecondsIsStale() {
    var driver = Driver()
    _ = driver.locate()
    driver.pass(.seconds(30))
    #expect(Driver.seals(in: driver.hear(1)).count == 1)
    driver.pass(.milliseconds(1))
    let actions = driver.hear(2)
    #expect(Driver.seals(in: actions).isEmpty)
    #expect(actions.contains { if case .unlocated = $0 { true } else { false } })
    #expect(Driver.drops(in: actions)[DropReason.noLocation] == 1)
  }

  @Test func theAgeThatAFixCameWithCounts() {
    var driver = Driver()
    let old = Timestamp(microseconds: driver.moment.now.microseconds - 20_000_000)
    driver.send(
      .location(.fix(LocationFix(latitude: 1, longitude: 2, measuredAt: old))))
    driver.pass(.seconds(10))
    #expect(Driver.seals(in: driver.hear(1)).count == 1)
    driver.pass(.seconds(1))
    #expect(Driver.seals(in: driver.hear(2)).isEmpty)
  }

  @Test func aPlaceThatDoesNotMoveNeverGrowsOld() {
    var driver = Driver()
    driver.place()
    driver.pass(.seconds(86_400))
    #expect(Driver.seals(in: driver.hear()).count == 1)
  }

  @Test func aClockThatJumpsMakesNoFixFreshOrStale() {
    var driver = Driver()
    _ = driver.locate()
    // The clock was set, nothing else has happened.
    driver.pass(.seconds(1), clock: .seconds(7200))
    #expect(Driver.seals(in: driver.hear(1)).count == 1)
    driver.pass(.seconds(30), clock: .seconds(-7200))
    #expect(Driver.seals(in: driver.hear(2)).isEmpty)
  }

  @Test func tellsOnceWhatIsInTheWay() {
    var driver = Driver()
    func told(_ actions: [FinderAction]) -> [String] {
      actions.compactMap { if case .unlocated(let reason) = $0 { reason } else { nil } }
    }
    #expect(told(driver.send(.location(.unavailable("no gpsd")))) == ["no gpsd"])
    #expect(told(driver.send(.location(.unavailable("no gpsd")))).isEmpty)
    #expect(told(driver.send(.location(.refused(.noFix)))) == ["the receiver has no fix"])
    _ = driver.locate()
    #expect(told(driver.send(.location(.refused(.noFix)))).isEmpty)
    // Only when the last fix is too old it matters.
    #expect(told(driver.tick(31)) == ["the receiver has no fix"])
    // Back at the same place: that is told as well.
    #expect(driver.locate().contains { if case .located = $0 { true } else { false } })
  }

  @Test func refusesFixesOfCarelessSources() {
    var driver = Driver()
    let early = Timestamp(microseconds: 1_000_000_000_000_000)
    driver.send(.location(.fix(LocationFix(latitude: 1, longitude: 2, measuredAt: early))))
    driver.send(
      .location(.fix(LocationFix(latitude: 91, longitude: 2, measuredAt: driver.moment.now))))
    #expect(Driver.seals(in: driver.hear()).isEmpty)
  }
}
