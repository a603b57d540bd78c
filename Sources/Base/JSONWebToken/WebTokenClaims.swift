package import LunaJSON

/// What a token says (RFC 7519, 4.1; RFC 9068; OpenID Connect Core 1.0, 2), or an answer to the question
/// what one says (RFC 7662, 2.2).
package struct WebTokenClaims: Hashable, Sendable {
  /// All of it.
  package let object: JSONObject
  /// Who made it.
  package let issuer: String?
  /// Whose it is.
  package let subject: String?
  /// For whom it is.
  package let audience: [String]
  /// Which program it was given to.
  package let clientID: String?
  /// The same, in ID tokens.
  package let authorizedParty: String?
  /// The attempt to sign in that it answers.
  package let nonce: String?
  /// From when it holds no more, s since 1970.
  package let expiresAt: Int64?
  /// Before when it does not hold yet, s since 1970.
  package let notBefore: Int64?
  /// When it was made, s since 1970.
  package let issuedAt: Int64?

  /// Reads claims; one of the wrong type is no claim that may be passed over.
  package init(_ object: JSONObject) throws(WebTokenProblem) {
    func text(_ name: String, limit: Int = 2048) throws(WebTokenProblem) -> String? {
      switch object[name] {
      case nil: return nil
      case .string(let text)? where text.utf8.count <= limit: return text
      default: throw .malformed(name)
      }
    }
    func time(_ name: String) throws(WebTokenProblem) -> Int64? {
      switch object[name] {
      case nil: return nil
      case .integer(let number)?: return number
      case .real(let number)? where abs(number) < 1e15: return Int64(number.rounded(.down))
      default: throw .malformed(name)
      }
    }
    self.object = object
    issuer = try text("iss")
    subject = try text("sub", limit: 1024)
    clientID = try text("client_id")
    authorizedParty = try text("azp")
    nonce = try text("nonce")
    expiresAt = try time("exp")
    notBefore = try time("nbf")
    issuedAt = try time("iat")
    switch object["aud"] {
    case nil: audience = []
    case .string(let one)?: audience = [one]
    case .array(let several)?:
      audience = several.compactMap { if case .string(let one) = $0 { one } else { nil } }
      guard audience.count == several.count else { throw .malformed("aud") }
    default: throw .malformed("aud")
    }
  }

  /// Reads the answer to the question what a token says (RFC 7662, 2.2). Some write null for what they do not say; a
  /// person whose name is null is not one who is not named.
  package init(answer object: JSONObject) throws(WebTokenProblem) {
    var said = object
    said.members.removeAll { $0.value == .null && $0.name != "username" }
    try self.init(said)
  }

  /// What it may be used for (RFC 8693, 4.2).
  package var scope: [Substring] {
    if case .string(let text)? = object["scope"] { text.split(separator: " ") } else { [] }
  }
}
