/// Why something was not done with accounts.
package enum AccountRefusal: Hashable, Sendable {
  /// There is no such account, session or token.
  case unknown
  /// An account has that name.
  case nameTaken
  /// Nobody would be left who looks after accounts.
  case lastAdmin
  /// The link is not good: used, too old, or none of this server.
  case link
  /// There is a second factor already, or none.
  case secondFactor
  /// The identity belongs to another account.
  case identityTaken
}
