import LunaJSON

/// What a program gets that is signed in (RFC 6749, 5.1).
struct IssuedTokens: Sendable {
  /// How long access tokens hold, s.
  static let accessSeconds: Int64 = 3600

  let access: IssuedToken
  let refresh: IssuedToken
  let holder: IssuedHolder

  var json: JSONValue {
    [
      "access_token": .string(access.text), "token_type": "Bearer",
      "expires_in": .integer(IssuedTokens.accessSeconds), "refresh_token": .string(refresh.text),
      "scope": .string(holder.scope.text), "sub": .string(holder.name),
    ]
  }
}
