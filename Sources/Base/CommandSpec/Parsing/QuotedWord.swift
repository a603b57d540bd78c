import SafeText

/// What a user typed, fit to stand in a one-line message.
enum QuotedWord {
  /// The word in quotes, control and direction characters spelt out, cut where it gets long.
  static func quote(_ word: String) -> String {
    var text = "'"
    for (index, scalar) in word.unicodeScalars.enumerated() {
      if index == 80 { return text + "…'" }
      if isPlain(scalar) {
        text.unicodeScalars.append(scalar)
      } else if scalar.value <= 0xFFFF {
        text += EscapedText.escape(scalar.value)
      } else {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return text + "'"
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }
}

extension Substring {
  /// Without spaces and tabs at both ends.
  func trimmingSpaces() -> Substring {
    var rest = self
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return rest
  }
}
