/// The cells of comma-separated values (RFC 4180), such that no spreadsheet takes one for a formula.
public enum CSVCell {
  /// A cell as it is written: escaped, quoted where it must be, and with an apostrophe in front
  /// where it begins as a formula does and is no number.
  public static func written(_ text: String) -> String {
    var cell = EscapedText.line(text)
    if let first = text.utf8.first, "=+-@\t\r".utf8.contains(first), !isNumber(text) {
      cell = "'" + cell
    }
    guard cell.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) else {
      return cell
    }
    let quoted = cell.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + quoted.joined(separator: "\"\"") + "\""
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
