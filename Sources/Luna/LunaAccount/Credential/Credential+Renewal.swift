import Bluetooth

extension Credential {
  /// The same with new tokens: what the issuer does not give anew stays.
  func renewed(with grant: TokenGrant, at now: Timestamp) -> Credential {
    var new = self
    new.accessToken = grant.accessToken
    new.refreshToken = grant.refreshToken ?? refreshToken
    let given = grant.idToken.flatMap { IDToken($0)?.subject }
    // An ID token of somebody else belongs to no renewal (OpenID Connect Core 1.0, 12.2).
    if given == nil || subject == nil || given == subject { new.idToken = grant.idToken ?? idToken }
    // Some give the first ID token with a renewal.
    if subject == nil { new.subject = given }
    new.scope = grant.scope ?? scope
    new.issuedAt = now
    new.expiresIn = grant.expiresIn
    new.generation = generation < Int64.max - 1 ? generation + 1 : 1
    return new
  }
}
