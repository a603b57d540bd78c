import Bluetooth
import LunaCore
import LunaJSON

/// Times in files (RFC 3339).
enum HomeTime {
  /// The moment of a text, µs since 1970.
  static func microseconds(_ text: String) -> Int64? {
    Timestamp(rfc3339: Array(text.utf8)).flatMap {
      Timestamp.plausible.contains($0) ? $0.microseconds : nil
    }
  }

  /// A moment in JSON.
  static func json(_ microseconds: Int64) -> JSONValue { .string(text(microseconds)) }

  /// A moment as a text.
  static func text(_ microseconds: Int64) -> String {
    Timestamp(microseconds: microseconds).rfc3339
  }
}
