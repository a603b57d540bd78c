import Bluetooth
import LunaCore
import LunaProtocol
import Testing

@testable import LunaFinder

@Suite struct SightingTests {
  @Test func reportsATrackerAtOnceAndThenOnceAMinute() {
    var driver = Driver()
    driver.place()
    #expect(Driver.seals(in: driver.hear()).count == 1)
    for _ in 0..<59 {
      driver.pass(.seconds(1))
      #expect(Driver.seals(in: driver.hear()).isEmpty)
    }
    driver.pass(.seconds(1))
    #expect(Driver.seals(in: driver.hear()).count == 1)
  }

  @Test func throttlesEachIdentifierByItself() {
    var driver = Driver()
    driver.place()
    driver.hear(1)
    #expect(Driver.seals(in: driver.hear(2)).count == 1)
    // A rotation starts anew.
    #expect(Driver.seals(in: driver.hear(3)).count == 1)
    #expect(Driver.seals(in: driver.hear(2)).isEmpty)
  }

  @Test func takesTheConfiguredInterval() {
    var driver = Driver { $0.minimumTimeBetweenTwoEventsInSeconds = 5 }
    driver.place()
    driver.hear()
    driver.pass(.milliseconds(4999))
    #expect(Driver.seals(in: driver.hear()).isEmpty)
    driver.pass(.milliseconds(1))
    #expect(Driver.seals(in: driver.hear()).count == 1)
  }

  @Test func neverReportsTrackersWithoutAnOwner() {
    var driver = Driver()
    driver.place()
    let actions = driver.send(.frame(Samples.frame(1, isOnboardable: true)))
    #expect(actions.isEmpty)
    #expect(driver.machine.presences.isEmpty)
  }

  @Test func tellsWhereHowStrongAndWhen() throws {
    var driver = Driver()
    _ = driver.locate(52.5, 13.25, accuracy: 7.5)
    driver.pass(.seconds(3))
    let sighting = try #require(Driver.seals(in: driver.hear(rssi: -71)).first)
    #expect(sighting.record.latitudeE7 == 525_000_000)
    #expect(sighting.record.longitudeE7 == 132_500_000)
    #expect(sighting.record.horizontalAccuracyDecimetres == 75)
    #expect(sighting.record.rssi == -71)
    #expect(sighting.record.altitudeCentimetres == nil)
    #expect(!sighting.record.isSimulated)
    #expect(sighting.collectedAt == Timestamp(microseconds: Driver.start.microseconds + 3_000_000))
  }

  @Test func saysThatASimulatedRadioIsSimulated() throws {
    var driver = Driver()
    driver.machine = FinderMachine(
      LunaConfiguration(logger: NoLogger()), uploads: true, isSimulated: true)
    driver.place()
    #expect(try #require(Driver.seals(in: driver.hear()).first).record.isSimulated)
  }

  @Test func takesTheTimeOfTestsForReports() throws {
    var driver = Driver()
    driver.machine = FinderMachine(
      LunaConfiguration(logger: NoLogger()), uploads: true,
      time: ProtocolTime(epoch: Driver.start, speed: 60))
    driver.place()
    driver.pass(.seconds(10))
    let sighting = try #require(Driver.seals(in: driver.hear()).first)
    #expect(sighting.collectedAt.microseconds == Driver.start.microseconds + 600_000_000)
  }

  @Test func forgetsTheSilent() {
    var driver = Driver()
    driver.place()
    for number in 1...40 { driver.hear(UInt64(number)) }
    #expect(driver.machine.presences.count == 40)
    driver.tick(301)
    #expect(driver.machine.presences.isEmpty)
    #expect(Driver.seals(in: driver.hear(50_000)).count == 1)
  }

  /// A day in a station: a million identifiers, each heard for a while, and memory as at the beginning.
  @Test func staysSmallOverAMillionIdentifiers() {
    var driver = Driver(uploads: false)
    driver.place()
    var seals = 0
    for number in 1...100_000 {
      // Each is heard again 1 s after the first time, when 12 others have come.
      seals += Driver.seals(in: driver.hear(UInt64(number))).count
      if number > 12 { seals += Driver.seals(in: driver.hear(UInt64(number - 12))).count }
      driver.actions = []
      driver.pass(.milliseconds(86))
      if number % 12 == 0 { seals += Driver.seals(in: driver.send(.timePassed)).count }
    }
    #expect(seals > 99_900)
    #expect(driver.machine.presences.count < 5000)
    #expect(driver.machine.identities.count < 5000)
    #expect(driver.machine.newcomers.count < 1000)
  }
}
