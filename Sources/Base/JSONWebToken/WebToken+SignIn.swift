import LunaCrypto

extension WebToken {
  /// Looks whether it is the ID token of a sign-in of ours (OpenID Connect Core 1.0, 3.1.3.7); who has signed it is
  /// another question.
  ///
  /// - Parameters:
  ///   - client: as what we are known to the issuer.
  ///   - nonce: what was sent along when the sign-in began.
  ///   - now: s since 1970.
  package func checkSignIn(
    at issuer: String, client: String, nonce: String, at now: Int64
  ) throws(WebTokenRefusal) {
    guard claims.issuer == issuer else { throw .issuer }
    guard claims.expiresAt != nil else { throw .endless }
    guard claims.issuedAt != nil else { throw .undated }
    try claims.checkTime(at: now)
    guard type == nil || type == "jwt" else { throw .type }
    guard claims.audience.contains(client) else { throw .audience }
    guard claims.authorizedParty ?? (claims.audience.count == 1 ? client : "") == client else {
      throw .client
    }
    guard let given = claims.nonce,
      constantTimeEqual(Array(given.utf8).span, Array(nonce.utf8).span)
    else { throw .nonce }
  }
}
