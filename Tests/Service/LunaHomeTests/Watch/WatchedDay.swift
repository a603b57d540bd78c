import Beacons
import Bluetooth
import LunaCore
import LunaWatch

@testable import LunaHome

/// A made-up working day of whoever carries the box, and a tracker that is always with them.
enum WatchedDay {
  /// Monday, 2026-11-02T00:00:00Z.
  static let monday = 1_793_577_600
  /// A tracker of a family whose identifiers stay.
  static let tile = WatchIdentifier(.tile, 1)

  /// m east of home: there until 8:00, at the office from 8:25 to 17:00, at home from 17:25.
  private static func place(_ minute: Int) -> Double {
    let now = Double(minute)
    switch now {
    case ..<480: return 0
    case ..<505: return (now - 480) / 25 * 8_000
    case ..<1_020: return 8_000
    case ..<1_045: return (1_045 - now) / 25 * 8_000
    default: return 0
    }
  }

  /// A watch with the settings of a file.
  static func watch(_ text: String = "{}") -> HomeWatch {
    var watch = HomeWatch()
    watch.adopt(HomeConfiguration(HomeFile(text)), [:])
    return watch
  }

  /// When a minute of a day is.
  static func time(_ day: Int, _ minute: Int, _ second: Int = 0) -> Timestamp {
    let seconds = monday + (day * 1_440 + minute) * 60 + second
    return Timestamp(microseconds: Int64(seconds) * 1_000_000)
  }

  /// Lives through a day.
  ///
  /// - Parameters:
  ///   - minutes: these of the day.
  ///   - exclusion: whose keys are here.
  /// - Returns: what was news.
  @discardableResult
  static func live(
    _ day: Int, _ watch: inout HomeWatch, _ identifier: WatchIdentifier = tile,
    _ minutes: Range<Int> = 0..<1_440, exclusion: WatchExclusion? = nil
  ) -> [HomeSuspect] {
    live(day, &watch, minutes) { watch, time in
      watch.listen(at: time)
      watch.hear(
        WatchFrame(
          time: time, identifier: identifier, state: .unknown, rssi: -60, exclusion: exclusion))
    }
  }

  /// Lives through a day, and hears something every 10 s.
  static func live(
    _ day: Int, _ watch: inout HomeWatch, _ minutes: Range<Int> = 0..<1_440,
    hear: (inout HomeWatch, Timestamp) -> Void
  ) -> [HomeSuspect] {
    var news: [HomeSuspect] = []
    for minute in minutes {
      let now = time(day, minute)
      watch.move(
        to: LocationFix(
          latitude: 0, longitude: place(minute) / 111_319.5, horizontalAccuracy: 10,
          measuredAt: now), at: now)
      for second in stride(from: 0, to: 60, by: 10) { hear(&watch, time(day, minute, second)) }
      news += watch.takeNews(at: time(day, minute, 59).microseconds)
    }
    return news
  }
}
