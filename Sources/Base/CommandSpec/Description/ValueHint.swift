/// What may stand where a value is asked for; help and completions are made from it.
public enum ValueHint: Sendable, Equatable {
  /// Anything; nothing can be completed.
  case text
  /// The path of a file.
  case file
  /// The path of a directory.
  case directory
  /// One of these words and no other.
  case choices([Choice])
  /// One of these words, or something else of the kind.
  case suggestions([Choice])
  /// Several of these words, separated by commas.
  case list([Choice])
  /// The name of something in this directory, such as an adapter in `/sys/class/bluetooth`, or
  /// something else of the kind.
  case entries(of: String)

  /// The words that can be offered, whether or not others are accepted too.
  public var words: [Choice] {
    switch self {
    case .choices(let words), .suggestions(let words), .list(let words): words
    case .text, .file, .directory, .entries: []
    }
  }
}
