import Bluetooth
import LunaCore

/// Which times of a recording can be believed: those within a day of the median of their neighbours. A clock
/// that was wrong for a moment spoils nothing but what was heard at that moment, also at the beginning, and
/// one that was set for good is followed.
struct RecordedTimes: Sendable {
  /// How many neighbours count, before and after.
  static let reach = 7
  /// How far from their median a time may be, µs.
  static let tolerance: Int64 = 86_400_000_000
  /// How many reports wait at most: those without a time that can be are nobody's neighbours, and a recording may
  /// have any number of them.
  static let patience = 1024

  /// The last times, believed or not.
  private var past: [Int64] = []
  /// Reports that wait, the first of them for more neighbours: what is known so far speaks against it.
  private var held: [AdvertisingReport] = []

  /// Takes reports.
  ///
  /// - Returns: those of which all is known, in order; where the time cannot be believed, it is unknown.
  mutating func take(_ reports: [AdvertisingReport]) -> [AdvertisingReport] {
    judge(held + reports, isEnd: false)
  }

  /// No more will come.
  ///
  /// - Returns: those that waited.
  mutating func finish() -> [AdvertisingReport] { judge(held, isEnd: true) }

  private mutating func judge(_ all: [AdvertisingReport], isEnd: Bool) -> [AdvertisingReport] {
    held = []
    let times = all.map(\.time).filter(LocationRules.isPlausible).map(\.microseconds)
    let known = past + times
    // Nearly always nothing is far from anything.
    let isCalm = (known.max() ?? 0) - (known.min() ?? 0) <= RecordedTimes.tolerance
    var reports = all
    var place = past.count
    for index in reports.indices {
      guard LocationRules.isPlausible(reports[index].time) else {
        reports[index].time = .unknown
        continue
      }
      if !isCalm, !isBelieved(place, of: known) {
        let isEarly = known.count - place <= RecordedTimes.reach
        if !isEnd, isEarly, all.count - index < RecordedTimes.patience {
          held = Array(all[index...])
          reports.removeSubrange(index...)
          break
        }
        reports[index].time = .unknown
      }
      place += 1
    }
    past = Array(known[..<place].suffix(RecordedTimes.reach))
    return reports
  }

  /// Whether a time is near the median of its neighbours and itself; of two medians, the earlier one.
  private func isBelieved(_ place: Int, of times: [Int64]) -> Bool {
    let first = max(0, place - RecordedTimes.reach)
    let last = min(times.count - 1, place + RecordedTimes.reach)
    let sorted = times[first...last].sorted()
    return abs(times[place] - sorted[(sorted.count - 1) / 2]) <= RecordedTimes.tolerance
  }
}
