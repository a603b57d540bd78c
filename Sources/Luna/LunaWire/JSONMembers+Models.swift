public import Bluetooth
public import LunaCore
public import LunaJSON
public import LunaProtocol

/// Members of the backend's API that are more than JSON (PROTOCOL.md, 2).
extension JSONMembers {
  /// A time in RFC 3339, in UTC or with an offset.
  public func time(_ name: String) throws(FormatError) -> Timestamp {
    let text = try string(name)
    // The reader takes other separators and local times as well, for people who type.
    let bytes = Array(text.utf8)
    let isFirm =
      bytes.count > 19 && bytes[10] | 0x20 == UInt8(ascii: "t")
      && (bytes[bytes.count - 1] | 0x20 == UInt8(ascii: "z")
        || bytes.count >= 25 && "+-".utf8.contains(bytes[bytes.count - 6]))
    guard isFirm, let time = Timestamp(rfc3339: text)
    else { throw FormatError(name, "is not a time such as 2026-11-21T10:00:00Z") }
    return time
  }

  /// A date in UTC, `2026-11-21`.
  public func day(_ name: String) throws(FormatError) -> Day {
    guard let day = Day(try string(name)) else {
      throw FormatError(name, "is not a date such as 2026-11-21")
    }
    return day
  }

  /// An identifier of 32 hexadecimal digits in lower case.
  public func heid(_ name: String) throws(FormatError) -> HEID {
    guard let heid = JSONMembers.heid(try string(name)) else {
      throw FormatError(name, "is not 32 hexadecimal digits in lower case")
    }
    return heid
  }

  /// An identifier from its one form.
  public static func heid(_ text: String) -> HEID? {
    guard text.utf8.count == 32 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for byte in text.utf8 {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
    return HEID(high: high, low: low)
  }

  static func isLowerHex(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
  }

  /// Bytes in base64 (PROTOCOL.md, 2).
  public func base64(_ name: String) throws(FormatError) -> [UInt8] {
    guard let bytes = Base64.decode(try string(name)) else {
      throw FormatError(name, "is not base64")
    }
    return bytes
  }
}
