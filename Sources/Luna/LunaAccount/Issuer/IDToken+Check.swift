extension IDToken {
  /// Looks whether an ID token is meant for us; none is good too.
  ///
  /// - Parameter nonce: what it has to repeat; nil where nothing was asked.
  static func check(
    _ grant: TokenGrant, issuer: String, clientID: String, nonce: String?
  ) throws(AccountError) {
    guard let secret = grant.idToken else { return }
    guard let token = IDToken(secret) else {
      throw AccountError(.undecodable, "the ID token cannot be read")
    }
    guard token.issuer == issuer else {
      throw AccountError(.stateMismatch, "the ID token is of another issuer")
    }
    guard token.audience.contains(clientID) else {
      throw AccountError(.stateMismatch, "the ID token is for another program")
    }
    guard nonce == nil || token.nonce == nonce else {
      throw AccountError(.stateMismatch, "the ID token belongs to another sign-in")
    }
  }
}
