/// Reads the text of a filter.
///
///     or         = and { "||" and }
///     and        = unary { "&&" unary }
///     unary      = "!" unary | "(" or ")" | comparison
///     comparison = name operator constant
///     constant   = "text" | number | true | false
struct FilterParser {
  /// What is wrong with a filter, and where.
  struct SyntaxError: Error, Equatable {
    let reason: String
    /// Characters before the place.
    let position: Int
  }

  private let characters: [Character]
  private var position = 0
  private var depth = 0

  /// Parentheses and negations within each other: more is a mistake, and each level costs stack.
  private static let maximumDepth = 100

  private init(_ text: String) { characters = Array(text) }

  /// The condition that `text` describes.
  static func parse(_ text: String) throws(SyntaxError) -> FilterExpression {
    var parser = FilterParser(text)
    let expression = try parser.or()
    parser.skipBlanks()
    guard parser.position == parser.characters.count else {
      throw parser.error("expected && or || or the end")
    }
    return expression
  }

  private func error(_ reason: String) -> SyntaxError {
    SyntaxError(reason: reason, position: position)
  }

  private mutating func or() throws(SyntaxError) -> FilterExpression {
    var left = try and()
    while take("||") { left = .or(left, try and()) }
    return left
  }

  private mutating func and() throws(SyntaxError) -> FilterExpression {
    var left = try unary()
    while take("&&") { left = .and(left, try unary()) }
    return left
  }

  private mutating func unary() throws(SyntaxError) -> FilterExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= FilterParser.maximumDepth else { throw error("too many levels") }
    if take("!") { return .not(try unary()) }
    guard take("(") else { return .comparison(try comparison()) }
    let inner = try or()
    guard take(")") else { throw error("expected )") }
    return inner
  }

  private mutating func comparison() throws(SyntaxError) -> FilterComparison {
    let name = word { $0.isLetter || $0.isNumber || "._-".contains($0) }
    guard !name.isEmpty else { throw error("expected the name of a field") }
    guard let op = FilterComparison.Operator.allCases.first(where: { take($0.rawValue) }) else {
      throw error("expected one of == != < <= > >= ~ after \(name)")
    }
    return FilterComparison(name: name, op: op, constant: try constant(op))
  }

  private mutating func constant(
    _ op: FilterComparison.Operator
  ) throws(SyntaxError) -> FilterComparison.Constant {
    skipBlanks()
    let start = position
    if let text = try quoted(keepingBackslashes: op == .matches) {
      guard op == .matches else { return .text(text) }
      do throws(RegularExpression.CompileError) {
        return .pattern(try RegularExpression(text))
      } catch {
        throw SyntaxError(reason: "not a regular expression: \(error.reason)", position: start)
      }
    }
    guard op != .matches else { throw error("expected a regular expression in quotes after ~") }
    let plain = word { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    switch plain {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    default:
      guard let number = Double(plain), number.isFinite else {
        position = start
        throw error("expected a number, true, false, or a text in double quotes")
      }
      return .number(number)
    }
  }

  /// A text in double quotes; \" stands for a quote. In a plain text \\ stands for a backslash; a
  /// regular expression has its own use for backslashes, and gets them as they are.
  private mutating func quoted(keepingBackslashes: Bool) throws(SyntaxError) -> String? {
    guard take("\"") else { return nil }
    var text = ""
    while position < characters.count {
      let character = characters[position]
      position += 1
      if character == "\"" { return text }
      if character == "\\", position < characters.count {
        let next = characters[position]
        position += 1
        if next != "\"", keepingBackslashes || next != "\\" { text.append(character) }
        text.append(next)
      } else {
        text.append(character)
      }
    }
    throw error("the quote is not closed")
  }

  private mutating func word(_ belongs: (Character) -> Bool) -> String {
    skipBlanks()
    let start = position
    while position < characters.count, belongs(characters[position]) { position += 1 }
    return String(characters[start..<position])
  }

  private mutating func take(_ symbol: String) -> Bool {
    skipBlanks()
    let end = position + symbol.count
    guard end <= characters.count, String(characters[position..<end]) == symbol else {
      return false
    }
    position = end
    return true
  }

  private mutating func skipBlanks() {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
  }
}
