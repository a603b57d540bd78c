/// Text within XML 1.0 documents: GPX, KML, SVG.
public enum XMLText {
  /// A text as the content of an element or the value of an attribute: escaped as elsewhere, then
  /// for XML, which cannot hold U+FFFE and U+FFFF at all.
  public static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in EscapedText.line(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
