/// A time of day: `08:00`, `23:59:30`.
public struct ClockTime: Hashable, Comparable, Sendable {
  /// Seconds since midnight on a clock.
  public let seconds: Int

  /// A time of so many seconds since midnight.
  public init(seconds: Int) { self.seconds = seconds }

  /// Reads hours, minutes and perhaps seconds, two digits each.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard part.utf8.count == 2, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(part)
      else { return nil }
      numbers.append(number)
    }
    guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
  }

  /// Orders by the time of day.
  public static func < (left: ClockTime, right: ClockTime) -> Bool { left.seconds < right.seconds }
}
