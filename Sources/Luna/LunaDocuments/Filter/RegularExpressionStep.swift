/// What a regular expression does at one place of its program.
enum RegularExpressionStep: Sendable {
  /// What must hold between two characters.
  enum Assertion: Sendable {
    case start, end, wordBoundary, noWordBoundary
  }

  /// Takes a character of the set and goes on with the next step.
  case take(RegularExpressionSet)
  case check(Assertion)
  /// Goes on at both places.
  case split(Int, Int)
  case jump(Int)
  case accept
}
