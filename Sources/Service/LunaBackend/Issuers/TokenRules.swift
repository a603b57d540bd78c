import JSONWebToken
import LunaJSON

/// Whether a token of a trusted issuer is for this backend, and holds now (FLEET.md, 2).
struct TokenRules: Sendable {
  /// Why a token is not taken.
  typealias Refusal = WebTokenRefusal

  let issuer: TrustedIssuer
  let audience: String

  /// - Parameter publicURL: the address of the backend.
  init(_ issuer: TrustedIssuer, publicURL: String) {
    self.issuer = issuer
    audience = issuer.audience ?? publicURL
  }

  /// Whose a token with a good signature is.
  ///
  /// - Parameter now: s since 1970.
  func subject(of token: WebToken, at now: Int64) throws(Refusal) -> String {
    let claims = token.claims
    guard claims.issuer == issuer.issuer else { throw .issuer }
    guard claims.expiresAt != nil else { throw .endless }
    try claims.checkTime(at: now)
    switch token.type {
    case "at+jwt": guard isForUs(claims) else { throw .audience }
    case nil, "jwt": guard isIDToken(claims) else { throw .audience }
    default: throw .type
    }
    return try subject(claims)
  }

  /// Whose an ID token with a good signature is that came for a sign-in at the console (OpenID Connect Core
  /// 1.0, 3.1.3.7).
  ///
  /// - Parameters:
  ///   - client: as what the console is known to the issuer.
  ///   - nonce: what was sent along when the sign-in began.
  func subject(
    ofSignIn token: WebToken, client: String, nonce: String, at now: Int64
  ) throws(Refusal) -> String {
    try token.checkSignIn(at: issuer.issuer, client: client, nonce: nonce, at: now)
    return try subject(token.claims)
  }

  /// Whose a token is about which its issuer was asked.
  func subject(of answer: WebTokenClaims, at now: Int64) throws(Refusal) -> String {
    guard answer.object["active"] == true else { throw .inactive }
    guard answer.issuer == nil || answer.issuer == issuer.issuer else { throw .issuer }
    try answer.checkTime(at: now)
    // Some say only which program a token was given to.
    let isOurs =
      answer.audience.isEmpty && !issuer.clients.isEmpty ? isOfClient(answer) : isForUs(answer)
    guard isOurs else { throw .audience }
    if answer.subject != nil { return try subject(answer) }
    // All but `active` is optional (RFC 7662, 2.2), and some leave the subject out.
    switch answer.object["username"] {
    case .string(let name)? where WebTokenClaims.isName(name) && name.utf8.count <= 1024:
      return TokenRules.userPrefix + name
    case nil:
      // The token of a program, for nobody: only of one that is named here.
      guard isOfClient(answer), let client = answer.clientID, WebTokenClaims.isName(client) else {
        throw .subject
      }
      return TokenRules.clientPrefix + client
    default: throw .subject
    }
  }

  /// What begins the subject of somebody whom an issuer knows only by the name that people type.
  private static let userPrefix = "username:"
  /// What begins the subject of a program that acts for nobody.
  private static let clientPrefix = "client:"

  /// Whom a token names. What cannot be kept or shown is nobody's name, nor is what would be somebody else
  /// whom this issuer names in another way.
  private func subject(_ claims: WebTokenClaims) throws(Refusal) -> String {
    let subject = try claims.name()
    let isMade = [TokenRules.userPrefix, TokenRules.clientPrefix].contains {
      subject.hasPrefix($0)
    }
    guard issuer.introspection == nil || !isMade else { throw .subject }
    return subject
  }

  private func isForUs(_ claims: WebTokenClaims) -> Bool {
    guard issuer.isAudienceScope else { return claims.audience.contains(audience) }
    let words = claims.audience.flatMap { $0.split(separator: " ") }
    return !words.isEmpty && Set(words).isSubset(of: claims.scope) && isOfClient(claims)
  }

  private func isOfClient(_ claims: WebTokenClaims) -> Bool {
    claims.clientID.map { issuer.clients.contains($0) } ?? false
  }

  private func isIDToken(_ claims: WebTokenClaims) -> Bool {
    guard let party = claims.authorizedParty else {
      return claims.audience.count == 1 && issuer.idTokenClients.contains(claims.audience[0])
    }
    return issuer.idTokenClients.contains(party) && claims.audience.contains(party)
  }
}
