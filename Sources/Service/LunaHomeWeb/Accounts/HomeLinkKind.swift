/// What a one-time link is for.
package enum HomeLinkKind: String, Sendable {
  /// The first account, or a sign-in of its owner.
  case setup
  /// A new account.
  case join
  /// Another password.
  case reset
  /// An address of mail that somebody has given.
  case verify

  /// How long it is good.
  var life: Duration {
    switch self {
    case .setup: .seconds(600)
    case .join: .seconds(72 * 3600)
    case .reset, .verify: .seconds(3600)
    }
  }
}
