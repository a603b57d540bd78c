public import Bluetooth

/// A date in UTC.
public struct Day: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  public let number: Int32

  /// A date from days since 1970-01-01.
  public init(number: Int32) { self.number = number }

  /// The date of a moment; the nearest one that fits.
  public init(_ time: Timestamp) {
    let microseconds: Int64 = 86_400_000_000
    let quotient = time.microseconds / microseconds
    let isBefore = time.microseconds % microseconds < 0
    number = Int32(clamping: isBefore ? quotient - 1 : quotient)
  }

  /// Reads `2026-11-21`.
  ///
  /// - Returns: nil for any other text, and for dates that do not exist.
  public init?(_ text: some StringProtocol) {
    let text = Array(text.utf8)
    guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int64? {
      var value: Int64 = 0
      for byte in text[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    self.number = Int32(clamping: date.daysSinceEpoch)
  }

  /// The date some days later, or earlier.
  public static func + (day: Day, days: Int32) -> Day {
    Day(number: Int32(clamping: Int64(day.number) + Int64(days)))
  }

  /// Orders dates by time.
  public static func < (left: Day, right: Day) -> Bool { left.number < right.number }
}

extension Day: CustomStringConvertible {
  /// The date as `2026-11-21`; years beyond 0 to 9999 are cut to them.
  public var description: String {
    let date = CivilDate(daysSinceEpoch: Int64(number))
    func padded(_ value: Int64, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    let year = padded(min(max(date.year, 0), 9999), 4)
    return "\(year)-\(padded(date.month, 2))-\(padded(date.day, 2))"
  }
}
