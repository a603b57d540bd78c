import SafeText

/// What was typed behind `/`: plain words, or an expression.
enum TableQuery: Sendable {
  case everything
  /// Words that must all occur in what is searched of a row, in capitals or not.
  case words([String])
  case expression(any TableExpression)
  /// It looks like an expression, and is none (yet).
  case mistake(TableMistake)

  static func read(_ text: String, _ language: TableLanguage?) -> TableQuery {
    let words = text.split(separator: " ").map { $0.lowercased() }
    guard !words.isEmpty else { return .everything }
    guard let language else { return .words(words) }
    do throws(TableMistake) {
      return try language.read(text).map { .expression($0) } ?? .words(words)
    } catch {
      return language.signs.contains { text.contains(text: $0) } ? .mistake(error) : .words(words)
    }
  }
}
