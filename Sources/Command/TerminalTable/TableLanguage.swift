/// A condition that rows are held against, by whoever gives the rows.
public protocol TableExpression: Sendable {
  /// As it was typed.
  var text: String { get }
}

/// What is wrong with an expression, and where.
public struct TableMistake: Error, Hashable, Sendable {
  /// What is wrong and what to do.
  public let text: String
  /// Characters before the place.
  public let position: Int

  /// A mistake.
  public init(text: String, position: Int) {
    self.text = text
    self.position = position
  }
}

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

  /// A language.
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
