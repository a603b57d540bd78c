import SafeText

/// What was typed behind `/`: plain words, or an expression.
enum TableQuery: Sendable {
  case everything
  /// Words that must all occur in what is searched of a row, in capitals or not; one may also be an expression, which
  /// is as good.
  case words([String], (any TableExpression)?)
  case expression(any TableExpression)
  /// It looks like an expression, and is none (yet).
  case mistake(TableMistake)

  static func read(_ text: String, _ language: TableLanguage?) -> TableQuery {
    let words = text.split(separator: " ").map { $0.lowercased() }
    guard !words.isEmpty else { return .everything }
    guard let language else { return .words(words, nil) }
    let hasSigns = language.signs.contains { text.contains(text: $0) }
    do throws(TableMistake) {
      let expression = try language.read(text)
      if let expression, hasSigns || words.count > 1 { return .expression(expression) }
      return .words(words, expression)
    } catch {
      return hasSigns ? .mistake(error) : .words(words, nil)
    }
  }
}
