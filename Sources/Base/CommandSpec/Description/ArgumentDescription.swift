/// What is known of a word that is no option.
public struct ArgumentDescription: Sendable, Equatable {
  /// How often the argument may stand.
  public enum Presence: Sendable, Equatable {
    /// Exactly once.
    case required
    /// Once or not at all.
    case optional
    /// Any number of times, at least this often.
    case repeated(atLeast: Int)
  }

  /// The word that stands for it in help, such as `FILE`.
  public var placeholder: String
  /// What it is, in one sentence without a full stop.
  public var help: String
  /// How often it may stand.
  public var presence: Presence
  /// What to complete for it.
  public var hint: ValueHint
  /// Of several words: what those before the last one are called, where they are another thing.
  package var leading: String?

  /// An argument under a placeholder.
  public init(_ placeholder: String, _ help: String, _ presence: Presence, hint: ValueHint) {
    self.placeholder = placeholder
    self.help = help
    self.presence = presence
    self.hint = hint
  }
}
