import Beacons
import Bluetooth
import Testing

@testable import LunaWatch

/// Which identifiers are taken for those of one tracker.
@Suite struct WatchLinkTests {
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
    #expect(Stage.grades(findings, 1) == [.notice, .suspect])
    #expect(Stage.grades(findings, 12) == [.notice, .suspect])
    #expect(findings.allSatisfy { $0.identifiers.count == 1 })
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
}
