/// The inside of JSON strings (RFC 8259, 7).
public enum JSONEscape {
  /// Appends a text with quotation marks, backslashes and all that ``TextScan`` finds escaped.
  public static func append(_ text: String, to json: inout String) {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      while let stop = TextScan.next(in: bytes, from: start, quotes: true) {
        json += String(decoding: bytes[start..<stop.offset], as: UTF8.self)
        json += escape(stop.scalar)
        start = stop.offset + stop.count
      }
      json += String(decoding: bytes[start...], as: UTF8.self)
    }
  }

  /// The escape of a character that ``TextScan`` found: `\n`, `\"`, `\u009b`.
  public static func escape(_ scalar: UInt32) -> String {
    switch scalar {
    case 0x22: return "\\\""
    case 0x5C: return "\\\\"
    case 0x0A: return "\\n"
    case 0x0D: return "\\r"
    case 0x09: return "\\t"
    default:
      let digits = String(scalar, radix: 16)
      return "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
  }
}
