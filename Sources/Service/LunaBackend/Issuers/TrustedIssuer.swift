public import LunaCrypto

/// An issuer of others whose tokens a backend takes, and which of them.
public struct TrustedIssuer: Hashable, Sendable {
  /// As it calls itself, to the letter.
  public var issuer: String
  /// What access tokens are for; nil for the address of the backend.
  public var audience: String?
  /// The programs whose tokens are taken where the audience does not tell.
  public var clients: Set<String> = []
  /// Whether it writes the scope into `aud`, so that the program tells what a token is for.
  public var isAudienceScope = false
  /// The programs whose ID tokens are taken instead of access tokens.
  public var idTokenClients: Set<String> = []
  /// Where tokens that only the issuer can read are shown to it (RFC 7662); nil for nowhere.
  public var introspection: String?
  /// As whom the backend asks there.
  public var introspectionClient: String?
  /// With which secret.
  public var introspectionSecret: SecretBytes?

  /// How people sign in to the console there; nil where they do not.
  public var signIn: SignInClient?

  /// An issuer of which nothing is taken but access tokens for the backend.
  public init(_ issuer: String) { self.issuer = issuer }

  /// Feeds the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(issuer) }
}
