package import Bluetooth
import LunaCore

/// RFC 3339 in UTC with microseconds, as `2026-01-02T03:04:05.678901Z`.
///
/// Holds the text of the last second, since one second has many advertisements.
package struct TimeText: Sendable {
  package init() {}

  /// The length of the text for the years 0 to 9999.
  package static let count = 27

  private var second = Int64.min
  /// `2026-01-02T03:04:05.`
  private var prefix = [UInt8](repeating: 0, count: 20)

  /// Appends `time` to `buffer`.
  package mutating func append(_ time: Timestamp, to buffer: OutputBuffer) {
    let fraction = enter(time)
    prefix.withUnsafeBufferPointer { buffer.append($0) }
    buffer.append(padded: fraction, digits: 6)
    buffer.append(UInt8(ascii: "Z"))
  }

  /// The text of `time` alone.
  package mutating func string(_ time: Timestamp) -> String {
    let fraction = enter(time)
    return String(unsafeUninitializedCapacity: TimeText.count) { text in
      for (index, byte) in prefix.enumerated() { text[index] = byte }
      var rest = fraction
      for index in stride(from: 25, through: 20, by: -1) {
        text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      text[26] = UInt8(ascii: "Z")
      return TimeText.count
    }
  }

  /// Brings `prefix` to the second of `time`; returns the microseconds behind it.
  @inline(__always)
  private mutating func enter(_ time: Timestamp) -> Int64 {
    let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let floored = remainder < 0 ? quotient &- 1 : quotient
    if floored != second {
      second = floored
      update()
    }
    return time.microseconds &- floored &* 1_000_000
  }

  private mutating func update() {
    let days = second >= 0 ? second / 86400 : (second - 86399) / 86400
    let inDay = second - days * 86400
    let date = CivilDate(daysSinceEpoch: days)
    let year = min(max(date.year, 0), 9999)
    func put(_ value: Int64, _ digits: Int, at offset: Int) {
      var rest = value
      for index in stride(from: offset + digits - 1, through: offset, by: -1) {
        prefix[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    }
    put(year, 4, at: 0)
    put(date.month, 2, at: 5)
    put(date.day, 2, at: 8)
    put(inDay / 3600, 2, at: 11)
    put(inDay / 60 % 60, 2, at: 14)
    put(inDay % 60, 2, at: 17)
    for (offset, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, ".")] {
      prefix[offset] = mark.utf8.first ?? 0
    }
  }
}
