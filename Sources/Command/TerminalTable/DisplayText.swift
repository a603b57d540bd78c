import SafeText

/// Text from the air, made fit for a terminal: nothing in it can move the cursor, change a colour
/// or turn the direction, and its width is known.
///
/// Widths are counted by scalar, as terminals do; what joins scalars to one sign is taken out, so
/// that there is nothing to disagree about.
public enum DisplayText {
  /// The text with control characters and direction marks escaped, without other format characters,
  /// private and unassigned ones; white space becomes a space, and a letter keeps two of its
  /// combining marks.
  public static func clean(_ text: String, asciiOnly: Bool = false) -> String {
    var clean = String.UnicodeScalarView()
    var marks = 0
    for scalar in EscapedText.line(text).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .spaceSeparator, .lineSeparator, .paragraphSeparator:
        clean.append(" ")
      case .control, .format, .surrogate, .privateUse, .unassigned:
        continue
      case .nonspacingMark, .enclosingMark:
        marks += 1
        let isSelector = (0xFE00...0xFE0F).contains(scalar.value)
        if marks <= 2, !clean.isEmpty, !isSelector, !asciiOnly { clean.append(scalar) }
        continue
      default:
        clean.append(asciiOnly && !scalar.isASCII ? "?" : scalar)
      }
      marks = 0
    }
    return String(clean)
  }

  /// How many positions a clean text takes.
  public static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  /// The beginning of a clean text that fits, with an ellipsis where something is cut.
  public static func truncate(_ text: String, to width: Int, ellipsis: String = "…") -> String {
    if self.width(text) <= width { return text }
    let room = width - self.width(ellipsis)
    guard room >= 0 else { return String(repeating: ".", count: max(0, width)) }
    return String(text.unicodeScalars[..<end(of: text, room)]) + ellipsis
  }

  /// The end of a clean text that fits, with an ellipsis where something is cut.
  public static func tail(_ text: String, to width: Int, ellipsis: String = "…") -> String {
    if self.width(text) <= width { return text }
    var room = width - self.width(ellipsis)
    var start = text.unicodeScalars.endIndex
    while start > text.unicodeScalars.startIndex {
      let before = text.unicodeScalars.index(before: start)
      room -= self.width(text.unicodeScalars[before])
      if room < 0 { break }
      start = before
    }
    // A mark does not stand alone.
    let rest = text.unicodeScalars[start...].drop { self.width($0) == 0 }
    return ellipsis + String(rest)
  }

  /// A clean text in lines of at most this width, broken at spaces where there are any.
  public static func wrap(_ text: String, width: Int) -> [String] {
    guard width > 1 else { return [] }
    var lines: [String] = []
    var rest = text
    while self.width(rest) > width {
      let scalars = rest.unicodeScalars
      let limit = end(of: rest, width)
      let space = scalars[..<limit].lastIndex(of: " ")
      let cut = space.map { $0 > scalars.startIndex ? $0 : limit } ?? limit
      lines.append(String(scalars[..<cut]))
      rest = String(scalars[cut...].drop { $0 == " " })
    }
    return lines + [rest]
  }

  private static func end(of text: String, _ room: Int) -> String.Index {
    var used = 0
    for index in text.unicodeScalars.indices {
      used += width(text.unicodeScalars[index])
      if used > room { return index }
    }
    return text.endIndex
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    // Vowels and final consonants of Hangul that is spelt out join the syllable before.
    if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) {
      return 0
    }
    if scalar.properties.isEmojiPresentation, !(0x1F1E6...0x1F1FF).contains(scalar.value) {
      return 2
    }
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// The blocks of East Asian Width W and F (Unicode Standard Annex 11) apart from emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DF2, 0x1AFF0...0x1B2FB,
    0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
