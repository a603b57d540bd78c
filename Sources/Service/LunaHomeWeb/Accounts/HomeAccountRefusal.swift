import LunaJSON
import WebAccess

/// Why something was not done with accounts.
package enum HomeAccountRefusal: Error, Hashable, Sendable {
  /// There is no such account.
  case unknown
  /// An account has that name.
  case nameTaken
  /// Nobody would be left who looks after accounts, and whose right to that does not end.
  case lastOwner
  /// The link is not good: used, too old, or for something else.
  case link
  /// There is a second factor already, or none.
  case secondFactor

  var problem: ProblemDocument {
    switch self {
    case .unknown: .notFound("there is no such account")
    case .nameTaken: ProblemDocument(409, "nameTaken", "An account has this name.")
    case .lastOwner:
      ProblemDocument(
        409, "lastOwner", "A home needs an owner whose right does not end.",
        detail: "make another account such an owner first")
    case .link:
      ProblemDocument(
        403, "link", "This link is not good.", detail: "it is used, too old, or not for this")
    case .secondFactor:
      ProblemDocument(409, "secondFactor", "There is a second factor already, or none.")
    }
  }
}
