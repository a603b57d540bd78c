/// Lines of words that keep within a width.
enum TextLayout {
  /// The words of a text in lines of at most `width` characters; a longer word stands alone.
  static func wrap(_ text: String, width: Int) -> [String] {
    wrap(words: text.split(separator: " ").map(String.init), width: width)
  }

  /// The same for pieces that must not be broken, such as `[--count N]`.
  static func wrap(words: [String], width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " " + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// Two columns: the text stands beside its label, or below it where the label is too wide.
  static func columns(
    _ label: String, _ text: String, indent: Int, column: Int, width: Int
  ) -> [String] {
    let margin = String(repeating: " ", count: column)
    var lines = wrap(text, width: width - column).map { margin + $0 }
    let start = String(repeating: " ", count: indent) + label
    if start.count + 2 <= column, let first = lines.first {
      lines[0] = start + first.dropFirst(start.count)
    } else {
      lines.insert(start, at: 0)
    }
    return lines
  }
}
