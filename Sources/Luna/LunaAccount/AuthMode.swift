/// Which of the tokens is shown to a server.
public enum AuthMode: String, CaseIterable, Sendable {
  /// The ID token (OpenID Connect Core 1.0, 2).
  case jwt
  /// The access token (RFC 6749, 1.4).
  case accessToken
}
