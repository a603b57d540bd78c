/// The cells of comma-separated values (RFC 4180), such that no spreadsheet takes one for a formula.
public enum CSVCell {
  /// A cell as it is written: escaped, quoted where it must be, and with an apostrophe in front
  /// where it begins as a formula does and is no number.
  public static func written(_ text: String) -> String { cell(text, EscapedText.line(text)) }

  /// A text of several lines as a cell: its line ends and tabs stay (RFC 4180, 2.6).
  package static func document(_ text: String) -> String { cell(text, EscapedText.document(text)) }

  private static func cell(_ text: String, _ escaped: String) -> String {
    var cell = escaped
    // Apostrophes that the text itself has there get one more: whoever reads it takes off one.
    let bare = text.utf8.drop { $0 == UInt8(ascii: "'") }
    if let first = bare.first, "=+-@\t\r".utf8.contains(first),
      bare.count < text.utf8.count || !isNumber(text)
    {
      cell = "'" + cell
    }
    guard cell.utf8.contains(where: { ",\"\n".utf8.contains($0) }) else { return cell }
    // Not by what Swift takes for a character: an accent behind a quotation mark is a part of that.
    var quoted = "\"".unicodeScalars
    for scalar in cell.unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// A row without its end.
  public static func row(_ cells: some Sequence<String>) -> String {
    cells.map(written).joined(separator: ",")
  }

  /// Whether a text is a decimal number, with a sign, a fraction or an exponent perhaps.
  private static func isNumber(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    func dropSign() {
      if let first = rest.first, "+-".utf8.contains(first) { rest = rest.dropFirst() }
    }
    func dropDigits() -> Bool {
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(digits.count)
      return !digits.isEmpty
    }
    dropSign()
    guard dropDigits() else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard dropDigits() else { return false }
    }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      dropSign()
      guard dropDigits() else { return false }
    }
    return rest.isEmpty
  }
}
