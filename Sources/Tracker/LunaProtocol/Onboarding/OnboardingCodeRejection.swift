public import Diagnosis

/// Why a text is no code (PROTOCOL.md, 14), in the order of the tests.
public enum OnboardingCodeRejection: String, Diagnosed, CaseIterable, Sendable {
  /// It does not start with `LUNA1:`.
  case prefix
  /// A character is no symbol of a code.
  case symbol
  /// Not 27 symbols.
  case length
  /// The number has more than 128 bits.
  case range
  /// The check symbol does not fit: a symbol was mistyped.
  case check

  /// What is wrong with a code.
  public var diagnosis: Diagnosis { Diagnosis("this is no code of a label: \(words)") }

  /// The same, to follow a sentence.
  package var words: String {
    switch self {
    case .prefix: "it does not begin with LUNA1:"
    case .symbol: "it has a character that no code has"
    case .length: "it has more or less than 27 characters behind LUNA1:"
    case .range, .check: "a character is mistyped"
    }
  }
}
