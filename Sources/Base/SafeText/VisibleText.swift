/// Names in which nothing is hidden: two that look the same are not told apart by what nobody sees.
package enum VisibleText {
  /// A text without the characters that take no room and change nothing: blanks and joiners of no width, byte order
  /// marks, soft hyphens, variation selectors and tags. They stay where emoji are made of them, and where a script
  /// needs them.
  package static func of(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    let scalars = Array(text.unicodeScalars).filter { !isIdle($0) }
    var visible = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      if isNeeded(scalar, after: visible.last, before: next) { visible.append(scalar) }
    }
    return String(visible)
  }

  /// Whether a character is of no use in any name.
  private static func isIdle(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x200B, 0x2060...0x2064, 0xFEFF: true
    default: false
    }
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200C || scalar.value == 0x200D
  }

  private static func isNeeded(
    _ scalar: Unicode.Scalar, after last: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D:
      // Within Arabic and Indic scripts and their neighbours, and between emoji.
      guard let last, let next, next.value >= 0x600, !isJoiner(next) else { return false }
      return 0x600...0x1CFF ~= last.value || last.value == 0xFE0F || isPicture(last)
    case 0xFE0E, 0xFE0F:
      guard let last else { return false }
      // A digit only in a keycap.
      return isPicture(last) || next?.value == 0x20E3
    case 0xFE00...0xFE0D: return last.map { $0.value >= 0x600 } ?? false
    case 0xE0000...0xE007F:
      // Flags of parts of a country.
      return last.map { $0.value == 0x1F3F4 || 0xE0000...0xE007F ~= $0.value } ?? false
    case 0xE0100...0xE01EF: return last.map { $0.value >= 0x2E80 } ?? false
    default: return true
    }
  }

  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0xA0 && scalar.properties.isEmoji
  }
}
