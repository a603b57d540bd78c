import LunaAccount

/// A browser that is away to sign in at an issuer of others.
struct SignInAttempt: Sendable {
  /// How long it may be away.
  static let patience = Duration.seconds(600)
  /// How many of one browser are away at once: the oldest is given up for one more.
  static let limit: Int64 = 5
  /// How many are away in all.
  static let limitOfAll: Int64 = 10_000

  let issuer: String
  let secrets: WebSignIn.Attempt
  let next: ConsolePath
}
