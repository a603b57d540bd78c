import LunaCrypto

/// What a token endpoint gives (RFC 6749, 5.1).
struct TokenGrant: Sendable {
  var accessToken: SecretBytes
  var refreshToken: SecretBytes?
  var idToken: SecretBytes?
  var scope: String?
  /// Who is signed in, where the issuer says so beside an ID token.
  var subject: String?
  var expiresIn: Int64?
}
