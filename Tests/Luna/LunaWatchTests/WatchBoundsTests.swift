import Beacons
import Bluetooth
import Testing

@testable import LunaWatch

/// What is kept of how many, and for how long.
@Suite struct WatchBoundsTests {
  @Test func standsAFlood() {
    var stage = Stage()
    stage.settings.mostIdentifiers = 4_096
    stage.tags = [Stage.planted(1)]
    let usual = Stage.grades(stage.findings(days: 1))
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
    #expect(Stage.grades(findings) == usual)
    #expect(findings.allSatisfy { $0.identifiers.first?.value == 1 })
    #expect(engine.identifierCount <= 4_096)
    #expect(engine.summary.dropped > 1_000)
  }

  /// At the real limit: who was there before keeps what is said of them, what made room is counted, and what is kept
  /// stays within its bounds and goes again.
  @Test func aFloodOfAHundredThousandChangesNothingForOthers() {
    var stage = Stage()
    stage.tags = [
      Stage.planted(1), Stage.Tag(identifier: { _ in 2 }, isHeard: { Stage.day($0) == 0 }),
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
    stage.tags = [Stage.Tag(identifier: { _ in 1 }, isHeard: { $0 < 1_440 }), Stage.planted(2)]
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
}
