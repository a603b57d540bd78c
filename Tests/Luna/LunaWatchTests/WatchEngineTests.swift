import Beacons
import Bluetooth
import Testing

@testable import LunaWatch

@Suite struct WatchEngineTests {
  @Test func tellsOfOneThatComesAlong() throws {
    var stage = Stage()
    stage.tags = [Stage.planted()]
    let findings = stage.findings(days: 1)
    #expect(Stage.grades(findings) == [.notice, .suspect, .alarm])
    let trip = Int64(Stage.monday + 480 * 60) * 1_000_000
    let suspect = try #require(findings.first { $0.grade == .suspect })
    #expect(suspect.time.microseconds - trip <= 45 * 60_000_000)
    let alarm = try #require(findings.last)
    #expect(alarm.reasons == [.madeTrips])
    #expect(alarm.trips == 2)
    #expect(alarm.places == 2)
    #expect(abs(alarm.metres - 16_000) < 200)
    #expect(alarm.confidence == 1)
    #expect(alarm.rides.count == 2)
    #expect(alarm.rides.allSatisfy { $0.made && $0.heard == $0.listened })
  }

  @Test func goesOnFromWhatWasRemembered() throws {
    var stage = Stage()
    stage.tags = [Stage.planted()]
    var engine = WatchEngine(stage.settings)
    stage.live(0..<720, &engine)
    let before = engine.takeFindings()
    #expect(Stage.grades(before) == [.notice, .suspect])
    let memory = engine.remembered()
    #expect(memory.isSound && memory.trips.count == 1 && memory.tracks.count == 1)
    var next = try #require(WatchEngine(stage.settings, memory))
    stage.live(720..<1_440, &next)
    next.finish()
    let after = next.takeFindings()
    let alarm = try #require(after.first)
    #expect(alarm.grade == .alarm && alarm.trips == 2 && alarm.confidence == 1)
    #expect(alarm.rides.count == 2)
    #expect(next.summary.trips == 2)
  }

  /// A box without a clock of its own begins with a time of hours ago, and may be right minutes later, or never.
  @Test(arguments: [1_440, 730])
  func goesOnWhereTheClockWasSetBackMeanwhile(rightFrom minute: Int) throws {
    var stage = Stage()
    stage.tags = [Stage.planted()]
    var engine = WatchEngine(stage.settings)
    stage.live(0..<720, &engine)
    let hours = engine.summary.hours
    stage.clock = { $0 < minute ? -5 * 3_600 : 0 }
    var next = try #require(WatchEngine(stage.settings, engine.remembered()))
    stage.live(720..<740, &next)
    #expect(next.summary.hours >= hours)
    #expect(next.remembered().isSound)
    stage.live(740..<1_440, &next)
    next.finish()
    let findings = next.takeFindings()
    let alarm = try #require(findings.first)
    #expect(alarm.grade == .alarm && alarm.trips == 2)
    #expect(next.remembered().isSound)
  }

  @Test func goesOnFromNothingThatIsBroken() {
    var stage = Stage()
    stage.tags = [Stage.planted()]
    var engine = WatchEngine(stage.settings)
    stage.live(0..<720, &engine)
    let good = engine.remembered()
    let track = good.tracks[0]
    func broken(
      places: [WatchMemory.KnownPlace]? = nil, tracks: [WatchMemory.KnownTrack]? = nil
    ) -> WatchMemory {
      WatchMemory(
        places: places ?? good.places, trips: good.trips, tracks: tracks ?? good.tracks, fills: [],
        tellings: [], seconds: 0, gaps: 0, gapSeconds: 0, dropped: 0, last: 0)
    }
    #expect(broken().isSound)
    // A trip to a place that is not there, and an identifier twice.
    for memory in [broken(places: []), broken(tracks: [track, track])] {
      let isMade = WatchEngine(stage.settings, memory) != nil
      #expect(!isMade)
    }
  }

  @Test func tellsSoonOfOneThatStaysAtAKnownPlace() throws {
    var stage = Stage()
    // From the noon of the eighth day.
    stage.tags = [
      Stage.Tag(identifier: { _ in 1 }, isHeard: { $0 > 7 * 1_440 + 720 })
    ]
    let alarm = try #require(stage.findings(days: 8).first { $0.grade == .alarm })
    let trip = Int64(Stage.monday + (7 * 1_440 + 1_020) * 60) * 1_000_000
    #expect(alarm.time.microseconds - trip <= 90 * 60_000_000)
    #expect(alarm.reasons == [.madeTrip, .stayed])
  }

  /// Nobody has slept anywhere for four nights on the first day.
  @Test func aPlaceThatIsMarkedIsKnownFromTheFirstDay() {
    var stage = Stage()
    stage.tags = [Stage.Tag(identifier: { _ in 1 }, isHeard: { $0 > 720 })]
    func live(_ engine: WatchEngine) -> [WatchFinding] {
      var engine = engine
      stage.live(0..<1_440, &engine)
      engine.finish()
      return engine.takeFindings()
    }
    var engine = WatchEngine(stage.settings)
    #expect(Stage.grades(live(engine)) == [.notice, .suspect])
    engine.mark(WatchFix(time: .unknown, latitude: 0, longitude: 0))
    let findings = live(engine)
    #expect(Stage.grades(findings) == [.notice, .suspect, .alarm])
    #expect(findings.last?.reasons == [.madeTrip, .stayed])
    // What is marked elsewhere says nothing of it, and what is marked no more is as any place.
    engine.mark(only: [WatchFix(time: .unknown, latitude: 0.01, longitude: 0)])
    #expect(Stage.grades(live(engine)) == [.notice, .suspect])
  }

  /// However many places the box has been at, and although it was never at this one.
  @Test func aPlaceThatIsMarkedMakesNoRoom() {
    var travel = Travel()
    travel.mark(WatchFix(time: .unknown, latitude: 0, longitude: 0))
    for number in 0..<1_100 {
      let fix = WatchFix(
        time: .unknown, latitude: 10 + Double(number) * 0.02, longitude: 0, accuracy: 10)
      for minute in 0..<7 { travel.take(fix, at: number * 600 + minute * 60) }
    }
    #expect(travel.places.count == 1_024)
    #expect(travel.places.first?.isMarked == true)
  }

  @Test(arguments: WatchSensitivity.allCases)
  func waitsAsLongAsItShould(_ sensitivity: WatchSensitivity) throws {
    var stage = Stage()
    stage.settings.sensitivity = sensitivity
    stage.tags = [Stage.Tag(identifier: { _ in 1 }, isHeard: { $0 > 7 * 1_440 + 720 })]
    let alarm = try #require(stage.findings(days: 8).first { $0.grade == .alarm })
    let begin = Int64(Stage.monday + (7 * 1_440 + 1_020) * 60) * 1_000_000
    let minutes = (alarm.time.microseconds - begin) / 60_000_000
    // Those half an hour after the trip, which took 25 minutes, are the least.
    let least = max(55, Int64(sensitivity.seconds / 60))
    #expect((least...least + 6).contains(minutes))
  }

  @Test func leavesABusAlone() {
    var stage = Stage()
    // Rides along each morning and evening, and stays in its bus.
    stage.tags = [
      Stage.Tag(
        identifier: { _ in 1 },
        isHeard: { (480..<506).contains($0 % 1_440) || (1_020..<1_046).contains($0 % 1_440) })
    ]
    #expect(Stage.grades(stage.findings(days: 4)) == [.notice])
    stage.settings.rules.remove(.bothEnds)
    #expect(Stage.grades(stage.findings(days: 4)).contains(.alarm))
  }

  @Test func leavesNeighboursAndColleaguesAlone() {
    var stage = Stage()
    stage.tags = [
      Stage.Tag(identifier: { _ in 1 }, isHeard: { Stage.day($0) == 0 }),
      Stage.Tag(identifier: { _ in 2 }, isHeard: { Stage.day($0) == 8_000 }),
    ]
    #expect(stage.findings(days: 5).isEmpty)
  }

  @Test func tellsOfTwoAtOnce() {
    var stage = Stage()
    stage.tags = [Stage.planted(1), Stage.planted(2)]
    let findings = stage.findings(days: 1)
    #expect(Stage.grades(findings, 1).last == .alarm)
    #expect(Stage.grades(findings, 2).last == .alarm)
    #expect(findings.allSatisfy { $0.identifiers.count == 1 })
  }

  @Test func findsOneInTheCar() {
    var stage = Stage()
    // The box is heard near the car for ten minutes after each ride, no longer.
    stage.tags = [
      Stage.Tag(
        identifier: { _ in 1 },
        isHeard: { (478..<520).contains($0 % 1_440) || (1_018..<1_060).contains($0 % 1_440) })
    ]
    #expect(Stage.grades(stage.findings(days: 1)).last == .alarm)
    // What is heard in trips only is noticed, and no more is said.
    stage.tags = [
      Stage.Tag(
        identifier: { _ in 1 },
        isHeard: { (480..<505).contains($0 % 1_440) || (1_020..<1_045).contains($0 % 1_440) })
    ]
    #expect(Stage.grades(stage.findings(days: 2)) == [.notice])
  }

  @Test func stopsAtSuspectWhereTheOwnerIsNear() throws {
    var stage = Stage()
    stage.tags = [Stage.planted(1, .nearOwner)]
    let findings = stage.findings(days: 8)
    #expect(Stage.grades(findings).prefix(2) == [.notice, .suspect])
    #expect(!Stage.grades(findings).contains(.alarm))
    #expect(findings.allSatisfy { $0.grade == .notice || $0.reasons.contains(.nearOwner) })
    stage.settings.rules.remove(.nearOwner)
    #expect(Stage.grades(stage.findings(days: 2)).last == .alarm)
  }

  /// Firmware can claim that the owner is near: who came along so on three days is told of, once.
  @Test func tellsOnceOfAnOwnerWhoIsNearOnThreeDays() throws {
    var stage = Stage()
    stage.tags = [Stage.planted(1, .nearOwner)]
    var engine = WatchEngine(stage.settings)
    func live(_ days: Range<Int>) -> [WatchFinding] {
      stage.live(days.lowerBound * 1_440..<days.upperBound * 1_440, &engine)
      return engine.takeFindings()
    }
    let first = live(0..<2)
    #expect(first.allSatisfy { !$0.reasons.contains(.threeDays) })
    let third = live(2..<3)
    #expect(third.map(\.grade) == [.suspect])
    #expect(third.first?.reasons == [.madeTrip, .nearOwner, .threeDays])
    // Not after a restart either.
    let memory = engine.remembered()
    engine = try #require(WatchEngine(stage.settings, memory))
    let later = live(3..<8)
    #expect(later.isEmpty)
  }

  /// Of one that changes its identifier each quarter of an hour it is not sure that it was the same on three days.
  @Test func threeDaysTakeConfidence() {
    var stage = Stage()
    stage.tags = [
      Stage.Tag(
        family: .smartTag, state: .nearOwner, identifier: { UInt64(($0 + 9) / 15) },
        isHeard: { _ in true })
    ]
    #expect(!stage.findings(days: 4).contains { $0.reasons.contains(.threeDays) })
    stage.settings.rules.remove(.confidence)
    #expect(stage.findings(days: 4).contains { $0.reasons.contains(.threeDays) })
  }

  @Test func tellsOnlyWhatIsNewInABoxThatNeverMoves() {
    var stage = Stage()
    stage.place = { _ in 0 }
    stage.tags = [
      Stage.planted(1), Stage.Tag(identifier: { _ in 2 }, isHeard: { $0 > 6 * 1_440 }),
    ]
    let findings = stage.findings(days: 10)
    #expect(Stage.grades(findings, 1).isEmpty)
    #expect(Stage.grades(findings, 2) == [.notice])
    #expect(findings.first?.reasons == [.newHere])
  }

  @Test func noticesOnlyWithoutPlaces() {
    var stage = Stage()
    stage.place = { _ in nil }
    stage.tags = [Stage.planted(1), Stage.Tag(identifier: { _ in 2 }, isHeard: { $0 % 60 < 45 })]
    let findings = stage.findings(days: 2)
    #expect(Stage.grades(findings, 1) == [.notice])
    #expect(Stage.grades(findings, 2).isEmpty)
    #expect(findings.first?.reasons == [.noPlaces])
  }

  @Test func goesThroughANightTrain() {
    var stage = Stage()
    // From 22:00 to 8:00, 900 km.
    stage.place = { minute in
      switch minute {
      case ..<1_320: 0
      case ..<1_920: Double(minute - 1_320) * 1_500
      default: 900_000
      }
    }
    // Somebody in the same carriage, who stays in the train; and one that comes along.
    stage.tags = [
      Stage.Tag(identifier: { _ in 1 }, isHeard: { (1_318..<1_924).contains($0) }),
      Stage.planted(2),
    ]
    let findings = stage.findings(days: 3)
    #expect(Stage.grades(findings, 1) == [.notice])
    #expect(Stage.grades(findings, 2) == [.notice, .suspect])
  }

  @Test func goesOnWhenTheClockIsSetBack() {
    var stage = Stage()
    stage.tags = [Stage.planted()]
    stage.clock = { $0 < 600 ? 0 : -3_600 }
    #expect(Stage.grades(stage.findings(days: 1)).last == .alarm)
    // In the middle of the ride.
    stage.clock = { $0 < 490 ? 0 : -3_600 }
    #expect(Stage.grades(stage.findings(days: 1)).last == .alarm)
  }

  @Test func goesOnWhereTheClockIsBefore1970() {
    var stage = Stage()
    stage.tags = [Stage.planted()]
    // As far before as it was after.
    stage.clock = { _ in -2 * Stage.monday }
    let findings = stage.findings(days: 1)
    #expect(Stage.grades(findings) == [.notice, .suspect, .alarm])
    #expect(findings.allSatisfy { $0.time.microseconds < 0 && $0.time > .unknown })
    var engine = WatchEngine(stage.settings)
    for time in [Int64.min, Int64.min + 1, Int64.max, -1, 0] {
      engine.listen(at: Timestamp(microseconds: time))
    }
    #expect(engine.now == 0)
  }

  @Test func listsWhatIsExcluded() {
    var stage = Stage()
    var own = Stage.planted(1)
    own.exclusion = .own
    stage.tags = [own, Stage.planted(2)]
    var engine = WatchEngine(stage.settings)
    stage.live(0..<481, &engine)
    let marked = engine.mark(WatchIdentifier(.tile, 2), as: .known)
    let unknown = engine.mark(WatchIdentifier(.tile, 3), as: .known)
    #expect(marked)
    #expect(!unknown)
    stage.live(481..<1_440, &engine)
    engine.finish()
    let findings = engine.takeFindings()
    #expect(findings.isEmpty)
    let excluded = engine.summary.excluded
    #expect(excluded.map(\.trips) == [2, 2])
    #expect(excluded.map(\.exclusion) == [.own, .known])
  }

  @Test func saysThatSomethingOfItsKindWasThere() throws {
    var stage = Stage()
    stage.tags = [.newEachMinute]
    let findings = stage.findings(days: 3)
    #expect(findings.map(\.grade) == [.possible])
    let possible = try #require(findings.first)
    #expect(possible.trips == 3)
    #expect(possible.reasons == [.shortLived])
    stage.settings.rules.remove(.shortLived)
    #expect(stage.findings(days: 3).isEmpty)
  }

  @Test func countsWhatWasListenedTo() {
    var stage = Stage()
    stage.tags = []
    var engine = WatchEngine(stage.settings)
    stage.live(0..<600, &engine)
    stage.live(630..<720, &engine)
    let summary = engine.summary
    #expect((11.4...11.6).contains(summary.hours))
    #expect(summary.gaps == 1)
    #expect(summary.gapMinutes == 30)
    #expect(summary.trips == 1)
  }

  @Test func isDeterministic() {
    var stage = Stage()
    stage.tags = [
      Stage.planted(1), Stage.planted(2),
      Stage.Tag(
        family: .smartTag, state: .separated, identifier: { UInt64($0 / 15) },
        isHeard: { _ in true }),
    ]
    let one = stage.findings(days: 3)
    let other = stage.findings(days: 3)
    #expect(one.map { "\($0)" } == other.map { "\($0)" })
  }
}
