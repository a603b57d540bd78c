import TerminalTable

/// What a demonstration says to people, in lines that end between words.
struct DemoText: Sendable {
  /// Wider ones are hard to read.
  private static let widest = 80

  /// How wide a terminal is; nil where that does not matter, as in a file.
  let width: Int?

  /// The lines of a text behind a beginning, such as a number or a time, below which nothing stands.
  func lines(_ text: String, after beginning: String = "") -> [String] {
    guard let width else { return [beginning + text] }
    let column = DisplayText.width(beginning)
    let margin = String(repeating: " ", count: column)
    // On the narrowest of terminals that breaks it, rather than the text is gone.
    let lines = DisplayText.wrap(DisplayText.clean(text), width: max(width - column, 20))
    return lines.enumerated().map { ($0 == 0 ? beginning : margin) + $1 }
  }

  /// A text of several sentences.
  func paragraph(_ text: String) -> [String] {
    DemoText(width: min(width ?? Self.widest, Self.widest)).lines(text)
  }
}
