import SafeText

/// Texts that people write into fields.
enum FieldText {
  /// Whether a character steers a terminal, breaks a line or turns the direction of what stands beside.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool { TextScan.isUnsafe(scalar.value) }

  /// Whether a character shows: one that does not may stand beside others, as in emoji, but not alone.
  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
  }

  /// A text of one line without blanks at its ends and without what nobody sees, with 1 to `limit` characters.
  static func line(_ text: String, limit: Int) throws(FieldProblem) -> String {
    let text = trimmed(VisibleText.of(text))
    if !text.unicodeScalars.contains(where: isSeen) { throw FieldProblem("is empty") }
    guard text.unicodeScalars.count <= limit else {
      throw FieldProblem("has more than \(limit) characters")
    }
    guard !text.unicodeScalars.contains(where: isUnsafe) else {
      throw FieldProblem("has characters that are not for text")
    }
    return text
  }

  /// A text of several lines.
  static func note(_ text: String, limit: Int) throws(FieldProblem) -> String {
    let text = String(
      text.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n"))
    guard text.unicodeScalars.count <= limit else {
      throw FieldProblem("has more than \(limit) characters")
    }
    guard !text.unicodeScalars.contains(where: { isUnsafe($0) && $0 != "\n" && $0 != "\t" }) else {
      throw FieldProblem("has characters that are not for text")
    }
    return text
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}
