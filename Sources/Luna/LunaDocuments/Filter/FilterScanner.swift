/// Walks over the text of a filter.
struct FilterScanner {
  private let characters: [Character]
  /// Characters before the place.
  private(set) var position = 0

  init(_ text: String) { characters = Array(text) }

  /// All of it.
  var text: String { String(characters) }

  /// Whether nothing but blanks follows; skips them.
  var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return position == characters.count
    }
  }

  /// The next character.
  var peek: Character? { position < characters.count ? characters[position] : nil }

  /// A mistake at this place.
  func error(_ reason: String, _ remedy: String? = nil) -> FilterError {
    FilterError(reason: reason, remedy: remedy, position: position)
  }

  mutating func skipBlanks() {
    while let next = peek, next.isWhitespace { position += 1 }
  }

  /// Takes a symbol, if it is next.
  mutating func take(_ symbol: String) -> Bool {
    skipBlanks()
    var end = position
    for character in symbol {
      guard end < characters.count, characters[end] == character else { return false }
      end += 1
    }
    position = end
    return true
  }

  /// Takes a word, if it is next and ends there.
  mutating func take(word: String) -> Bool {
    let start = position
    guard take(word) else { return false }
    if let next = peek, FilterScanner.isInName(next) {
      position = start
      return false
    }
    return true
  }

  private static func isInName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "._-".contains(character)
  }

  /// The word that a text is, where it is nothing else; nil for more than one, and for words that join
  /// comparisons.
  static func onlyWord(of text: String) -> String? {
    var scan = FilterScanner(text)
    let word = scan.run { isInName($0) || $0 == ":" }
    return scan.isAtEnd && !isReserved(word) ? word : nil
  }

  /// The word that is next, where nothing but what joins comparisons or closes a parenthesis follows; nil
  /// otherwise, and for words that join comparisons.
  mutating func wordAlone() -> String? {
    let word = run { FilterScanner.isInName($0) || $0 == ":" }
    var rest = self
    let isAlone =
      rest.isAtEnd || [")", "&&", "||"].contains { rest.take($0) }
      || ["and", "or"].contains { rest.take(word: $0) }
    return isAlone && !FilterScanner.isReserved(word) ? word : nil
  }

  private static func isReserved(_ word: String) -> Bool {
    ["", "and", "or", "not", "in", "has", "true", "false"].contains(word)
  }

  /// The name of a field; empty where none is next.
  mutating func name() -> String { run(FilterScanner.isInName) }

  /// The characters that follow as long as they belong.
  mutating func run(_ belongs: (Character) -> Bool) -> String {
    skipBlanks()
    let start = position
    while let next = peek, belongs(next) { position += 1 }
    return String(characters[start..<position])
  }

  /// A whole number in decimal digits; nil where none is next.
  mutating func integer() throws(FilterError) -> Int? {
    skipBlanks()
    let start = position
    let text = run { $0.isASCII && ($0.isNumber || $0 == "-") }
    guard !text.isEmpty else { return nil }
    guard let number = Int(text), (-1 << 20...1 << 20).contains(number) else {
      throw FilterError(
        reason: "\(text) is not a whole number in range", remedy: "use bytes, as in data[4:2]",
        position: start)
    }
    return number
  }

  /// The text of a number, such as `-70`, `0x4c` or `1.5`; a range of two ends it before `..`.
  mutating func plain() -> String {
    skipBlanks()
    let start = position
    while let next = peek, next.isLetter || next.isNumber || "+-.:_".contains(next) {
      if next == ".", position + 1 < characters.count, characters[position + 1] == "." { break }
      position += 1
    }
    return String(characters[start..<position])
  }

  /// A text in double quotes; nil where none is next. In an expression `\"` stands for a quote and
  /// everything else for itself: it has its own use for backslashes. Elsewhere the escapes are those
  /// of JSON, and `\xNN`.
  mutating func quoted(isExpression: Bool) throws(FilterError) -> String? {
    skipBlanks()
    let start = position
    guard take("\"") else { return nil }
    var text = String.UnicodeScalarView()
    while let character = peek {
      position += 1
      if character == "\"" { return String(text) }
      guard character == "\\", let next = peek else {
        text.append(contentsOf: character.unicodeScalars)
        continue
      }
      position += 1
      if isExpression {
        if next != "\"" { text.append("\\") }
        text.append(contentsOf: next.unicodeScalars)
      } else {
        text.append(try escaped(next))
      }
    }
    throw FilterError(
      reason: "the quote is not closed", remedy: "end the text with \"", position: start)
  }

  private mutating func escaped(_ character: Character) throws(FilterError) -> Unicode.Scalar {
    switch character {
    case "\"", "\\", "/": return Unicode.Scalar(String(character)) ?? "\\"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "x": return try scalar(digits: 2)
    case "u": return try unicode()
    default:
      throw FilterError(
        reason: "\\\(character) is no escape", remedy: "write \\\\ for a backslash",
        position: position - 2)
    }
  }

  /// `\u0041`; two for what lies beyond 16 bits, as in JSON.
  private mutating func unicode() throws(FilterError) -> Unicode.Scalar {
    let start = position - 2
    let first = try number(digits: 4)
    if (0xD800...0xDBFF).contains(first), take("\\u") {
      let second = try number(digits: 4)
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      {
        return scalar
      }
    }
    guard let scalar = Unicode.Scalar(first) else {
      throw FilterError(
        reason: "this escape is half of a pair", remedy: "write both, as in \\ud83d\\udd11",
        position: start)
    }
    return scalar
  }

  private mutating func scalar(digits: Int) throws(FilterError) -> Unicode.Scalar {
    Unicode.Scalar(try number(digits: digits)) ?? "\u{FFFD}"
  }

  private mutating func number(digits count: Int) throws(FilterError) -> UInt32 {
    let digits = characters[position...].prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let number = UInt32(String(digits), radix: 16)
    else {
      throw error("expected \(count) hexadecimal digits after the backslash")
    }
    position += count
    return number
  }
}
