import Beacons
import Bluetooth

@testable import LunaWatch

/// A made-up life: who is where at which minute, and what is heard of it.
struct Stage {
  /// Monday, 2026-11-02T00:00:00Z.
  static let monday = 1_793_577_600

  /// Somebody's tracker: whether it is heard at a minute, and what it calls itself then.
  struct Tag {
    var family = BeaconFamily.tile
    var state = WatchState.unknown
    var exclusion: WatchExclusion?
    var identifier: (Int) -> UInt64
    var isHeard: (Int) -> Bool
    var rssi: Int8 = -60

    /// One that is always heard, and has a new key each minute.
    static var newEachMinute: Tag {
      Tag(
        family: .appleFindMy, state: .separated, identifier: { UInt64($0) }, isHeard: { _ in true })
    }
  }

  /// Where the box is at a minute, m east of home; nil where it does not know.
  var place: (Int) -> Double? = Stage.day
  var tags: [Tag] = []
  var settings = WatchSettings()
  /// How far the clock is off at a minute, s.
  var clock: (Int) -> Int = { _ in 0 }

  /// A tag that is always there.
  static func planted(_ number: UInt64 = 1, _ state: WatchState = .unknown) -> Tag {
    Tag(state: state, identifier: { _ in number }, isHeard: { _ in true })
  }

  /// Of what was found, the grades of one tracker in their order.
  static func grades(_ findings: [WatchFinding], _ number: UInt64 = 1) -> [WatchGrade] {
    findings.filter { $0.identifiers.contains { $0.value == number } }.map(\.grade)
  }

  /// At home until 8:00, at the office 8 km away from 8:25 to 17:00, at home from 17:25.
  static func day(_ minute: Int) -> Double? {
    let now = Double(minute % 1_440)
    switch now {
    case ..<480: return 0
    case ..<505: return (now - 480) / 25 * 8_000
    case ..<1_020: return 8_000
    case ..<1_045: return (1_045 - now) / 25 * 8_000
    default: return 0
    }
  }

  /// Lives through these minutes, a frame every 10 s.
  func live(_ minutes: Range<Int>, _ engine: inout WatchEngine) {
    for minute in minutes {
      for second in stride(from: 0, to: 60, by: 10) {
        let wall = Stage.monday + minute * 60 + second + clock(minute)
        let time = Timestamp(microseconds: Int64(wall) * 1_000_000)
        if second == 0, let metres = place(minute) {
          engine.move(
            to: WatchFix(time: time, latitude: 0, longitude: metres / 111_319.5, accuracy: 10))
        }
        engine.listen(at: time)
        for tag in tags where tag.isHeard(minute) {
          engine.hear(
            WatchFrame(
              time: time, identifier: WatchIdentifier(tag.family, tag.identifier(minute)),
              state: tag.state, rssi: tag.rssi, exclusion: tag.exclusion))
        }
      }
    }
  }

  /// What is found in some days.
  func findings(days: Int) -> [WatchFinding] {
    var engine = WatchEngine(settings)
    live(0..<days * 1_440, &engine)
    engine.finish()
    return engine.takeFindings()
  }
}
