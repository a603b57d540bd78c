/// The language of expressions that can be typed to filter rows, besides plain words.
public struct TableLanguage: Sendable {
  /// What an expression can name, for the help.
  public let names: [String]
  /// Expressions and what they mean, for the help.
  public let examples: [(text: String, meaning: String)]
  /// An expression that shows how one looks.
  public let example: String
  /// What only an expression has: text with one of them is no list of words.
  public let signs: [String]
  /// Reads an expression; nil where the text is words, which are searched in all that the table shows. For a word
  /// without any of ``signs`` it says where else that is searched.
  public let read: @Sendable (String) throws(TableMistake) -> (any TableExpression)?

  /// A language of expressions.
  ///
  /// - Parameter read: nil where the text is words; throws what is wrong with an expression.
  public init(
    names: [String], examples: [(text: String, meaning: String)], example: String,
    signs: [String],
    read: @escaping @Sendable (String) throws(TableMistake) -> (any TableExpression)?
  ) {
    self.names = names
    self.examples = examples
    self.example = example
    self.signs = signs
    self.read = read
  }
}
