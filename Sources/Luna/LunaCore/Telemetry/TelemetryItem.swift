public import Bluetooth

/// Something that a program recorded of itself: an event, or how long something took.
public struct TelemetryItem: Hashable, Sendable {
  /// The longest value, characters.
  public static let valueLimit = 64

  /// Its name, by which the backend counts it once however often it comes.
  public let id: TelemetryID
  /// When it happened; of several, the first.
  public var time: Timestamp
  /// What: parts joined by dots.
  public let key: String
  /// How much, or which; `1` where nothing was said.
  public let value: String
  /// How often it happened within a few seconds, 1 or more.
  public var count: Int64

  /// An item; the key is one by ``isKey(_:)``, the value at most ``valueLimit`` characters.
  public init(id: TelemetryID, time: Timestamp, key: String, value: String, count: Int64) {
    self.id = id
    self.time = time
    self.key = key
    self.value = value
    self.count = count
  }

  /// Whether a text can be a key: 2 to 16 parts of 1 to 64 letters, digits, `-` and `_`, joined by dots, at
  /// most 255 bytes.
  public static func isKey(_ text: String) -> Bool { isPath(text, parts: 2...16) }

  /// Whether a text is so many parts of a key.
  package static func isPath(_ text: String, parts range: ClosedRange<Int>) -> Bool {
    var (parts, length, bytes) = (1, 0, 0)
    for byte in text.utf8 {
      bytes += 1
      switch byte {
      case UInt8(ascii: "."):
        guard length > 0 else { return false }
        parts += 1
        length = 0
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"):
        length += 1
        guard length <= 64 else { return false }
      default: return false
      }
    }
    return length > 0 && bytes <= 255 && range.contains(parts)
  }

  /// Whether a text can be a value: short, and without a zero byte, which not every database keeps.
  public static func isValue(_ text: String) -> Bool {
    text.unicodeScalars.count <= valueLimit && !text.utf8.contains(0)
  }
}
