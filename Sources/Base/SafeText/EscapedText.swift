/// Text made fit for one line of a terminal, a log or a document.
public enum EscapedText {
  /// A text in which everything that steers a terminal, breaks a line or turns the direction is
  /// written out: `\x1b`, `\u202e`. What was escaped already stays as it is.
  public static func line(_ text: String) -> String { escape(text, keepsLines: false) }

  /// A text of several lines of our own: line ends and tabs stay, everything else that ``line(_:)``
  /// escapes is escaped.
  public static func document(_ text: String) -> String { escape(text, keepsLines: true) }

  private static func escape(_ text: String, keepsLines: Bool) -> String {
    var text = text
    var escaped = ""
    let isChanged = text.withUTF8 { bytes in
      guard var stop = TextScan.next(in: bytes, from: 0) else { return false }
      var start = 0
      while true {
        escaped += String(decoding: bytes[start..<stop.offset], as: UTF8.self)
        let isKept = keepsLines && (stop.scalar == 0x0A || stop.scalar == 0x09)
        escaped += isKept ? (stop.scalar == 0x0A ? "\n" : "\t") : escape(stop.scalar)
        start = stop.offset + stop.count
        guard let next = TextScan.next(in: bytes, from: start) else { break }
        stop = next
      }
      escaped += String(decoding: bytes[start...], as: UTF8.self)
      return true
    }
    return isChanged ? escaped : text
  }

  /// How a character that ``TextScan`` found is written: `\x9b` or `\u202e`.
  public static func escape(_ scalar: UInt32) -> String {
    let digits = String(scalar, radix: 16)
    return scalar < 0x100
      ? "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
      : "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
