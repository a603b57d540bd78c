/// What was typed behind `/`: plain words, or an expression in the language of `--filter`.
enum TableQuery: Sendable, Equatable {
  case everything
  /// Words that must all occur in what a row is, its name or its address, in capitals or not.
  case words([String])
  case expression(FilterExpression)
  /// It looks like an expression, and is none (yet).
  case mistake(FilterError)

  /// What only an expression has. A name may hold one of these as well; that one is found with
  /// `name ~ "…"`.
  private static let signs = ["=", "<", ">", "~", "&&", "||", "{", "}", "[", "]", "\"", "has("]

  static func read(_ text: String, _ catalog: FieldCatalog) -> TableQuery {
    let words = text.split(separator: " ").map { $0.lowercased() }
    guard !words.isEmpty else { return .everything }
    do throws(FilterError) {
      return .expression(try FilterParser.parse(text, catalog))
    } catch {
      return signs.contains { text.contains($0) } ? .mistake(error) : .words(words)
    }
  }
}
