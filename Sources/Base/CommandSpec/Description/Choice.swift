/// One word that an option or argument accepts, with what it means.
public struct Choice: Sendable, Equatable {
  /// The word itself: letters, digits and `-_.:+`, so that every shell takes it unquoted.
  public var name: String
  /// What the word means, in a few words; empty where the name says it.
  public var help: String

  /// A word with its meaning.
  public init(_ name: String, _ help: String = "") {
    self.name = name
    self.help = help
  }
}
