import Beacons
import Bluetooth
import Testing

@testable import LunaWatch

@Suite struct WatchEngineTests {
  /// A tag that is always there.
  private func planted(_ number: UInt64 = 1, _ state: WatchState = .unknown) -> Stage.Tag {
    Stage.Tag(state: state, identifier: { _ in number }, isHeard: { _ in true })
  }

  private func grades(_ findings: [WatchFinding], _ number: UInt64 = 1) -> [WatchGrade] {
    findings.filter { $0.identifiers.contains { $0.value == number } }.map(\.grade)
  }

  @Test func tellsOfOneThatComesAlong() throws {
    var stage = Stage()
    stage.tags = [planted()]
    let findings = stage.findings(days: 1)
    #expect(grades(findings) == [.notice, .suspect, .alarm])
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
    stage.tags = [planted()]
    var engine = WatchEngine(stage.settings)
    stage.live(0..<720, &engine)
    let before = engine.takeFindings()
    #expect(grades(before) == [.notice, .suspect])
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
    stage.tags = [planted()]
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
    stage.tags = [planted()]
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
    #expect(grades(live(engine)) == [.notice, .suspect])
    engine.mark(WatchFix(time: .unknown, latitude: 0, longitude: 0))
    let findings = live(engine)
    #expect(grades(findings) == [.notice, .suspect, .alarm])
    #expect(findings.last?.reasons == [.madeTrip, .stayed])
    // What is marked elsewhere says nothing of it, and what is marked no more is as any place.
    engine.mark(only: [WatchFix(time: .unknown, latitude: 0.01, longitude: 0)])
    #expect(grades(live(engine)) == [.notice, .suspect])
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
    #expect(grades(stage.findings(days: 4)) == [.notice])
    stage.settings.rules.remove(.bothEnds)
    #expect(grades(stage.findings(days: 4)).contains(.alarm))
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
    stage.tags = [planted(1), planted(2)]
    let findings = stage.findings(days: 1)
    #expect(grades(findings, 1).last == .alarm)
    #expect(grades(findings, 2).last == .alarm)
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
    #expect(grades(stage.findings(days: 1)).last == .alarm)
    // What is heard in trips only is noticed, and no more is said.
    stage.tags = [
      Stage.Tag(
        identifier: { _ in 1 },
        isHeard: { (480..<505).contains($0 % 1_440) || (1_020..<1_045).contains($0 % 1_440) })
    ]
    #expect(grades(stage.findings(days: 2)) == [.notice])
  }

  @Test func followsOneThatChangesItsIdentifier() throws {
    var stage = Stage()
    stage.settings.sensitivity = .medium
    // Each 15 minutes, but not as the evening bus comes or goes, without another of the family.
    stage.tags = [
      Stage.Tag(
        family: .smartTag, state: .separated, identifier: { UInt64(($0 + 9) / 15) },
        isHeard: { $0 > 7 * 1_440 + 960 })
    ]
    let findings = stage.findings(days: 8)
    let alarm = try #require(findings.first { $0.grade == .alarm })
    #expect(alarm.confidence >= 0.6 && alarm.confidence < 1)
    #expect(alarm.identifiers.count >= 4)
    #expect(alarm.links.count == alarm.identifiers.count - 1)
    #expect(alarm.links.allSatisfy { $0.confidence == 0.97 })
    stage.settings.rules.remove(.chain)
    #expect(!stage.findings(days: 8).contains { $0.grade == .alarm })
  }

  @Test func keepsAnAlarmForThreeCrowdedLinksAtMost() {
    let three = 0.85 * 0.85 * 0.85
    #expect(three >= 0.6)
    #expect(three * 0.85 < 0.6)
  }

  @Test func endsAThreadWhereAStrangerSwapsWithIt() {
    var stage = Stage()
    stage.place = { _ in nil }
    // At minute 60 one goes and two others come, as strong as it was.
    stage.tags = [
      Stage.Tag(family: .appleFindMy, identifier: { _ in 1 }, isHeard: { $0 < 60 }),
      Stage.Tag(family: .appleFindMy, identifier: { _ in 2 }, isHeard: { $0 >= 60 }),
      Stage.Tag(family: .appleFindMy, identifier: { _ in 3 }, isHeard: { $0 >= 60 }),
    ]
    var engine = WatchEngine(stage.settings)
    stage.live(0..<90, &engine)
    engine.finish()
    for number: UInt64 in 1...3 {
      let finding = engine.finding(of: WatchIdentifier(.appleFindMy, number))
      #expect(finding?.identifiers.count == 1)
    }
    // Were it one alone, it would be linked.
    stage.tags.removeLast()
    engine = WatchEngine(stage.settings)
    stage.live(0..<90, &engine)
    engine.finish()
    #expect(engine.finding(of: WatchIdentifier(.appleFindMy, 2))?.identifiers.count == 2)
    // And not where it is much weaker, or its family keeps its identifiers.
    stage.tags[1].rssi = -80
    engine = WatchEngine(stage.settings)
    stage.live(0..<90, &engine)
    engine.finish()
    #expect(engine.finding(of: WatchIdentifier(.appleFindMy, 2))?.identifiers.count == 1)
    for index in 0...1 { stage.tags[index].family = .tile }
    stage.tags[1].rssi = -60
    engine = WatchEngine(stage.settings)
    stage.live(0..<90, &engine)
    engine.finish()
    #expect(engine.finding(of: WatchIdentifier(.tile, 2))?.identifiers.count == 1)
  }

  /// A tracker changes its identifier as a stranger's of its kind does, both as strong as each other, among others that
  /// stay: which is which cannot be told.
  @Test(arguments: [0, 10])
  func endsBothThreadsWhereTwoSwapAtOnce(apart: Int) throws {
    /// - Parameter traits: what the stranger's says of itself; the other one says 0.
    func live(_ traits: UInt32) -> WatchEngine {
      var engine = WatchEngine(WatchSettings())
      // Who is heard, from second to second: two end and two begin within half a minute.
      let spans: [(number: UInt64, traits: UInt32, heard: Range<Int>)] = [
        (1, 0, 0..<3_600), (2, 0, 3_600..<7_200), (11, traits, 0..<3_600 + apart),
        (12, traits, 3_600 + apart..<7_200), (21, 0, 0..<7_200), (22, 0, 0..<7_200),
      ]
      for second in stride(from: 0, to: 7_200, by: 5) {
        for span in spans where span.heard.contains(second) {
          engine.hear(
            WatchFrame(
              time: Timestamp(microseconds: Int64(Stage.monday + second) * 1_000_000),
              identifier: WatchIdentifier(.appleFindMy, span.number), state: .separated,
              traits: span.traits, rssi: -60))
        }
      }
      engine.finish()
      return engine
    }
    let swapped = live(0)
    for number: UInt64 in [1, 2, 11, 12, 21, 22] {
      let finding = try #require(swapped.finding(of: WatchIdentifier(.appleFindMy, number)))
      #expect(finding.identifiers.map(\.value) == [number])
    }
    // Where they tell themselves apart each is followed, with less confidence for the other's coming and going.
    let different = live(1)
    for (before, after) in [(UInt64(1), UInt64(2)), (11, 12)] {
      let finding = try #require(different.finding(of: WatchIdentifier(.appleFindMy, after)))
      #expect(finding.identifiers.map(\.value) == [before, after])
      #expect(finding.links.map(\.confidence) == [0.85])
    }
  }

  /// The tracker that follows swaps with a stranger's at the office: what came along in the morning ends there, and is
  /// not told of the stranger's tracker.
  @Test func aSwapMakesNoFollowerOfAStranger() {
    var stage = Stage()
    let swap = 720
    stage.tags = [
      Stage.Tag(
        family: .appleFindMy, state: .separated, identifier: { $0 < swap ? 1 : 2 },
        isHeard: { Stage.day($0) == 8_000 || $0 < swap }),
      // The stranger's stays at the office until noon, and goes home the same way.
      Stage.Tag(
        family: .appleFindMy, state: .separated, identifier: { $0 < swap ? 11 : 12 },
        isHeard: { Stage.day($0) == 8_000 || $0 >= swap }),
    ]
    let findings = stage.findings(days: 1)
    #expect(grades(findings, 1) == [.notice, .suspect])
    #expect(grades(findings, 12) == [.notice, .suspect])
    #expect(findings.allSatisfy { $0.identifiers.count == 1 })
  }

  @Test func stopsAtSuspectWhereTheOwnerIsNear() throws {
    var stage = Stage()
    stage.tags = [planted(1, .nearOwner)]
    let findings = stage.findings(days: 8)
    #expect(grades(findings).prefix(2) == [.notice, .suspect])
    #expect(!grades(findings).contains(.alarm))
    #expect(findings.allSatisfy { $0.grade == .notice || $0.reasons.contains(.nearOwner) })
    stage.settings.rules.remove(.nearOwner)
    #expect(grades(stage.findings(days: 2)).last == .alarm)
  }

  /// Firmware can claim that the owner is near: who came along so on three days is told of, once.
  @Test func tellsOnceOfAnOwnerWhoIsNearOnThreeDays() throws {
    var stage = Stage()
    stage.tags = [planted(1, .nearOwner)]
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
      planted(1), Stage.Tag(identifier: { _ in 2 }, isHeard: { $0 > 6 * 1_440 }),
    ]
    let findings = stage.findings(days: 10)
    #expect(grades(findings, 1).isEmpty)
    #expect(grades(findings, 2) == [.notice])
    #expect(findings.first?.reasons == [.newHere])
  }

  @Test func noticesOnlyWithoutPlaces() {
    var stage = Stage()
    stage.place = { _ in nil }
    stage.tags = [planted(1), Stage.Tag(identifier: { _ in 2 }, isHeard: { $0 % 60 < 45 })]
    let findings = stage.findings(days: 2)
    #expect(grades(findings, 1) == [.notice])
    #expect(grades(findings, 2).isEmpty)
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
      Stage.Tag(identifier: { _ in 1 }, isHeard: { (1_318..<1_924).contains($0) }), planted(2),
    ]
    let findings = stage.findings(days: 3)
    #expect(grades(findings, 1) == [.notice])
    #expect(grades(findings, 2) == [.notice, .suspect])
  }

  @Test func goesOnWhenTheClockIsSetBack() {
    var stage = Stage()
    stage.tags = [planted()]
    stage.clock = { $0 < 600 ? 0 : -3_600 }
    #expect(grades(stage.findings(days: 1)).last == .alarm)
    // In the middle of the ride.
    stage.clock = { $0 < 490 ? 0 : -3_600 }
    #expect(grades(stage.findings(days: 1)).last == .alarm)
  }

  @Test func goesOnWhereTheClockIsBefore1970() {
    var stage = Stage()
    stage.tags = [planted()]
    // As far before as it was after.
    stage.clock = { _ in -2 * Stage.monday }
    let findings = stage.findings(days: 1)
    #expect(grades(findings) == [.notice, .suspect, .alarm])
    #expect(findings.allSatisfy { $0.time.microseconds < 0 && $0.time > .unknown })
    var engine = WatchEngine(stage.settings)
    for time in [Int64.min, Int64.min + 1, Int64.max, -1, 0] {
      engine.listen(at: Timestamp(microseconds: time))
    }
    #expect(engine.now == 0)
  }

  @Test func listsWhatIsExcluded() {
    var stage = Stage()
    var own = planted(1)
    own.exclusion = .own
    stage.tags = [own, planted(2)]
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

  /// What is said of a tracker, and what was told of it, holds for what is linked to it, and no longer.
  @Test func aVerdictEndsWhereTheLinksEnd() throws {
    var stage = Stage()
    // A new identifier each quarter of an hour; from 10:00 to 10:30 it is not heard.
    stage.tags = [
      Stage.Tag(
        family: .smartTag, state: .separated, identifier: { UInt64(($0 + 9) / 15) },
        isHeard: { !(600..<630).contains($0) })
    ]
    func identifier(_ minute: Int) -> WatchIdentifier {
      WatchIdentifier(.smartTag, UInt64((minute + 9) / 15))
    }
    var engine = WatchEngine(stage.settings)
    stage.live(0..<544, &engine)
    let before = engine.takeFindings()
    #expect(before.map(\.grade) == [.notice, .suspect])
    let isMarked = engine.mark(identifier(543), as: .known)
    #expect(isMarked)
    stage.live(544..<600, &engine)
    let linked = try #require(engine.finding(of: identifier(580)))
    #expect(linked.exclusion == .known && linked.identifiers.contains(identifier(490)))
    stage.live(600..<1_440, &engine)
    engine.finish()
    // After the pause nobody knows that it is the same: it is a stranger's, of which nothing was told yet.
    let stranger = try #require(engine.finding(of: identifier(630)))
    #expect(stranger.exclusion == nil && stranger.identifiers.first == identifier(630))
    let after = engine.takeFindings()
    #expect(after.map(\.grade) == [.notice, .suspect])
    #expect(after.allSatisfy { $0.identifiers.first == identifier(630) && $0.trips < 2 })
    let excluded = engine.summary.excluded
    #expect(excluded.map(\.trips) == [1])
    #expect(excluded.first?.identifiers.contains(identifier(630)) == false)
  }

  @Test func saysThatSomethingOfItsKindWasThere() throws {
    var stage = Stage()
    // A new key each minute.
    stage.tags = [
      Stage.Tag(
        family: .appleFindMy, state: .separated, identifier: { UInt64($0) }, isHeard: { _ in true })
    ]
    let findings = stage.findings(days: 3)
    #expect(findings.map(\.grade) == [.possible])
    let possible = try #require(findings.first)
    #expect(possible.trips == 3)
    #expect(possible.reasons == [.shortLived])
    stage.settings.rules.remove(.shortLived)
    #expect(stage.findings(days: 3).isEmpty)
  }

  @Test func standsAFlood() {
    var stage = Stage()
    stage.settings.mostIdentifiers = 4_096
    stage.tags = [planted(1)]
    let usual = grades(stage.findings(days: 1))
    // Six thousand made-up ones, during the ride.
    var flood: [Stage.Tag] = []
    for number in 0..<2_000 {
      flood.append(
        Stage.Tag(
          family: .smartTag, state: .separated,
          identifier: { UInt64(0x1_0000 + number + $0 * 10_000) },
          isHeard: { (485..<488).contains($0) }))
    }
    stage.tags += flood
    var engine = WatchEngine(stage.settings)
    stage.live(0..<1_440, &engine)
    engine.finish()
    let findings = engine.takeFindings()
    #expect(grades(findings) == usual)
    #expect(findings.allSatisfy { $0.identifiers.first?.value == 1 })
    #expect(engine.identifierCount <= 4_096)
    #expect(engine.summary.dropped > 1_000)
  }

  /// At the real limit: who was there before keeps what is said of them, what made room is counted, and what is kept
  /// stays within its bounds and goes again.
  @Test func aFloodOfAHundredThousandChangesNothingForOthers() {
    var stage = Stage()
    stage.tags = [
      planted(1), Stage.Tag(identifier: { _ in 2 }, isHeard: { Stage.day($0) == 0 }),
      Stage.Tag(identifier: { _ in 3 }, isHeard: { (480..<506).contains($0 % 1_440) }),
      Stage.Tag(
        family: .appleFindMy, state: .separated, identifier: { _ in 4 }, isHeard: { $0 > 300 }),
    ]
    func said(_ findings: [WatchFinding]) -> [String] {
      findings.map { "\($0.identifiers) \($0.grade) \($0.trips)" }
    }
    let usual = said(stage.findings(days: 1))
    #expect(usual.count > 6)
    var engine = WatchEngine(stage.settings)
    stage.live(0..<630, &engine)
    for minute in 630..<640 {
      stage.live(minute..<minute + 1, &engine)
      let time = Timestamp(
        microseconds: Int64(Stage.monday + minute * 60 + 55) * 1_000_000)
      for number in 0..<10_000 {
        engine.hear(
          WatchFrame(
            time: time,
            identifier: WatchIdentifier(.smartTag, UInt64(minute * 10_000 + number)),
            state: .separated, rssi: -60))
      }
    }
    #expect(engine.identifierCount <= 65_536)
    #expect(engine.identifierCount + engine.summary.dropped == 100_004)
    stage.live(640..<1_440, &engine)
    #expect(engine.tracks.count == engine.identifierCount)
    for count in [engine.active.count, engine.begins.count, engine.ends.count] {
      #expect(count <= engine.tracks.count)
    }
    let bytes = engine.tracks.capacity * MemoryLayout<Track>.stride
    #expect(bytes <= 32 * 1_048_576, "\(bytes) bytes")
    var ended = engine
    ended.finish()
    #expect(said(ended.takeFindings()) == usual)
    // A day after, those that were on no trip need no room any more.
    stage.live(1_440..<2_200, &engine)
    #expect(engine.identifierCount == 4)
  }

  /// Threads are kept for 14 days, and nothing grows for longer.
  @Test func forgetsAfterFourteenDays() throws {
    var stage = Stage()
    stage.tags = [Stage.Tag(identifier: { _ in 1 }, isHeard: { $0 < 1_440 }), planted(2)]
    let (gone, present) = (WatchIdentifier(.tile, 1), WatchIdentifier(.tile, 2))
    var engine = WatchEngine(stage.settings)
    stage.live(0..<14 * 1_440, &engine)
    let last = try #require(engine.finding(of: gone))
    #expect(last.grade == .alarm && last.rides.count == 2)
    stage.live(14 * 1_440..<15 * 1_440 + 120, &engine)
    let isForgotten = engine.finding(of: gone) == nil
    #expect(isForgotten)
    #expect(engine.identifierCount == 1)
    // Two trips a day.
    #expect(engine.travel.trips.count == 28)
    let finding = try #require(engine.finding(of: present))
    #expect(finding.rides.count == 28 && finding.trips == 28)
    let track = try #require(engine.tracks.first)
    #expect(track.rides.count == 28)
    // Words of 32 slots of two minutes: those of two days, and of 14.
    #expect(track.slots.weight <= 48)
    #expect(engine.listened.weight <= 318)
    #expect(engine.travel.places.allSatisfy { $0.nights.count <= 14 })
    // What went for its age made no room for others.
    #expect(engine.summary.dropped == 0 && engine.summary.trips == 30)
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
      planted(1), planted(2),
      Stage.Tag(
        family: .smartTag, state: .separated, identifier: { UInt64($0 / 15) },
        isHeard: { _ in true }),
    ]
    let one = stage.findings(days: 3)
    let other = stage.findings(days: 3)
    #expect(one.map { "\($0)" } == other.map { "\($0)" })
  }
}
