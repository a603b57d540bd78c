package import Bluetooth
import LunaCore

/// A time of day as clocks show it, and as people give it: `9:00`, `09:00`, `09:00:30`.
package struct TimeOfDay: Hashable, Sendable {
  /// µs since midnight.
  let microseconds: Int64

  /// Reads it; nil for other text.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), (1...2).contains(parts[0].utf8.count),
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int64(part) : nil
    }
    guard numbers.count == parts.count, numbers[0] < 24, numbers[1] < 60,
      numbers.count == 2 || numbers[2] < 60
    else { return nil }
    let seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    microseconds = seconds * 1_000_000
  }

  /// When the clocks of a zone show it next, after `now`; where they are put forward over it, that is a day
  /// later.
  package func next(after now: Timestamp, in zone: some CivilZone) -> Timestamp {
    let today = zone.day(of: now)
    for days in 0...2 {
      let wall = Int64((today + Int32(days)).number) * 86_400_000_000 + microseconds
      if let next = zone.moments(of: wall).first(where: { $0 > now }) { return next }
    }
    return now
  }
}
