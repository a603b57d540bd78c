import Bluetooth

/// Reads what ``TimeText`` writes, and Unix seconds.
enum TimeParser {
  /// A time from `2026-01-02T03:04:05[.678901]Z` or a decimal number of seconds; nil for other text.
  static func parse(_ text: String) -> Timestamp? {
    let bytes = Array(text.utf8)
    return bytes.last == UInt8(ascii: "Z") ? civil(bytes.dropLast()) : seconds(bytes[...])
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard (1...12).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// Up to six digits behind the point, as microseconds.
  private static func fraction(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard digits.count <= 6, let value = number(digits) else { return nil }
    return (digits.count..<6).reduce(value) { value, _ in value * 10 }
  }

  private static func seconds(_ bytes: ArraySlice<UInt8>) -> Timestamp? {
    let parts = bytes.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = number(first) else { return nil }
    guard parts.count == 2 else { return Timestamp(microseconds: whole * 1_000_000) }
    return fraction(parts[1]).map { Timestamp(microseconds: whole * 1_000_000 + $0) }
  }

  private static func civil(_ bytes: ArraySlice<UInt8>) -> Timestamp? {
    let marks: [(Int, Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
    guard bytes.count >= 19,
      marks.allSatisfy({ bytes[bytes.startIndex + $0.0] == $0.1.asciiValue })
    else { return nil }
    func part(_ offset: Int, _ count: Int) -> Int64? {
      let start = bytes.startIndex + offset
      return number(bytes[start..<start + count])
    }
    guard let year = part(0, 4), let month = part(5, 2), let day = part(8, 2),
      let hour = part(11, 2), let minute = part(14, 2), let second = part(17, 2),
      hour < 24, minute < 60, second < 60,
      let days = days(year, month, day)
    else { return nil }
    var microseconds: Int64 = 0
    let rest = bytes.dropFirst(19)
    if !rest.isEmpty {
      guard rest.first == UInt8(ascii: "."), let value = fraction(rest.dropFirst()) else {
        return nil
      }
      microseconds = value
    }
    let time = ((days * 24 + hour) * 60 + minute) * 60 + second
    return Timestamp(microseconds: time * 1_000_000 + microseconds)
  }

  /// Days since 1970-01-01, when there is such a date; the way back of ``CivilDate``.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    guard 1...12 ~= month else { return nil }
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    let date = CivilDate(daysSinceEpoch: days)
    return date.year == year && date.month == month && date.day == day ? days : nil
  }
}
