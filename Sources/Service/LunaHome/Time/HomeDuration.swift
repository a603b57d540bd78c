/// A length of time as the file has it: `90s`, `2m`, `12h`.
public struct HomeDuration: Hashable, Comparable, Sendable {
  /// Its length, µs.
  public let microseconds: Int64

  /// A length in microseconds.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// A length in seconds.
  public static func seconds(_ seconds: Int64) -> HomeDuration {
    HomeDuration(microseconds: seconds * 1_000_000)
  }

  /// Reads a whole number with one of the units ms, s, m, h and d; at most ten years.
  public init?(_ text: String) {
    let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, digits.count <= 9, let number = Int64(text.prefix(digits.count)) else {
      return nil
    }
    let unit: Int64
    switch text.dropFirst(digits.count) {
    case "ms": unit = 1_000
    case "s": unit = 1_000_000
    case "m": unit = 60_000_000
    case "h": unit = 3_600_000_000
    case "d": unit = 86_400_000_000
    default: return nil
    }
    let (value, overflow) = number.multipliedReportingOverflow(by: unit)
    guard !overflow, value <= 3_660 * 86_400_000_000 else { return nil }
    microseconds = value
  }

  /// Orders by length.
  public static func < (left: HomeDuration, right: HomeDuration) -> Bool {
    left.microseconds < right.microseconds
  }
}
