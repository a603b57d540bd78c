public import LunaCrypto

/// How people sign in to the console at an issuer of others (OpenID Connect Core 1.0, 3.1).
public struct SignInClient: Hashable, Sendable {
  /// As what the console is known there.
  public var client: String
  /// With which secret; nil where it has none.
  public var secret: SecretBytes?
  /// What its button says; nil for the host of the issuer.
  public var name: String?
  /// What is asked for; nil for `openid`, and `profile` where the issuer has it.
  public var scope: String?
  /// Who gets which role; the first that fits counts. With none, an admin says so for each.
  public var roles: [RoleRule] = []

  /// A console without a secret and rules.
  public init(client: String) { self.client = client }

  /// Feeds the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(client) }
}
