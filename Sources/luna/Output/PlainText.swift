/// Text from the air on its way to a terminal.
enum PlainText {
  /// The text with everything that could steer a terminal replaced: control characters, and marks
  /// that change the direction of writing.
  static func printable(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
