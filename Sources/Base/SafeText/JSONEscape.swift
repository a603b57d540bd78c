/// The inside of JSON strings (RFC 8259, 7).
public enum JSONEscape {
  /// Appends a text with quotation marks, backslashes and all that ``TextScan`` finds escaped.
  public static func append(_ text: String, to json: inout String) {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    json += String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a text as ``append(_:to:)-(_,String)`` does, in UTF-8.
  public static func append(_ text: String, to json: inout [UInt8]) {
    TextScan.write(text, quotes: true, escape: escape) {
      json += $0
    }
  }

  /// A text as a JSON string, with its quotation marks.
  public static func quoted(_ text: String) -> String {
    var json = "\""
    append(text, to: &json)
    return json + "\""
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
