package import Bluetooth
import LunaCore

/// Reads times as options take them.
package enum TimeParser {
  /// A time in RFC 3339, such as `2026-01-02T03:04:05.678901Z`, a date, whose beginning in UTC it is,
  /// or Unix seconds with up to six digits behind the point; nil for other text.
  package static func parse(_ text: String) -> Timestamp? {
    Timestamp(rfc3339: text) ?? midnight(text) ?? seconds(Array(text.utf8)[...])
  }

  private static func midnight(_ text: String) -> Timestamp? {
    Day(text).map { Timestamp(microseconds: Int64($0.number) * 86_400_000_000) }
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
}
