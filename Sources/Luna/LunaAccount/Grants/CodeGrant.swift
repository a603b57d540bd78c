import Diagnosis
import JSONWebToken
import LunaCrypto
import SafeText

/// An authorization code with proof that who uses it has asked for it (RFC 6749, 4.1; RFC 7636).
struct CodeGrant: Sendable {
  let issuer: String
  let clientID: String
  let redirectURL: String
  let namesItself: Bool
  /// Nobody else has it: RFC 7636, 4.1.
  let verifier: SecretBytes
  let state: String
  let nonce: String

  /// - Throws: ``LunaCrypto/CryptoError`` when the system gives no randomness.
  init(
    issuer: String, clientID: String, redirectURL: String, namesItself: Bool
  ) throws(CryptoError) {
    self.issuer = issuer
    self.clientID = clientID
    self.redirectURL = redirectURL
    self.namesItself = namesItself
    verifier = try CodeGrant.word()
    state = try CodeGrant.text()
    nonce = try CodeGrant.text()
  }

  /// One that was kept while the browser was away.
  init(
    issuer: String, clientID: String, redirectURL: String, namesItself: Bool, verifier: String,
    state: String, nonce: String
  ) {
    self.issuer = issuer
    self.clientID = clientID
    self.redirectURL = redirectURL
    self.namesItself = namesItself
    self.verifier = SecretBytes(copying: Array(verifier.utf8).span)
    self.state = state
    self.nonce = nonce
  }

  /// 32 random bytes as 43 letters.
  private static func word() throws(CryptoError) -> SecretBytes {
    let random = try SecureRandom.secret(count: 32)
    var letters = random.withBytes { bytes in Base64URL.encode(bytes.indices.map { bytes[$0] }) }
    defer { wipe(&letters) }
    return SecretBytes(copying: letters.span)
  }

  private static func text() throws(CryptoError) -> String {
    let bytes: InlineArray<24, UInt8> = try SecureRandom.bytes()
    return String(decoding: Base64URL.encode(bytes.indices.map { bytes[$0] }), as: UTF8.self)
  }

  /// What the issuer compares with the verifier later: S256 (RFC 7636, 4.2).
  static func challenge(of verifier: SecretBytes) throws(CryptoError) -> String {
    let digest = try verifier.withBytes { bytes throws(CryptoError) in
      try SHA256.digest(of: bytes)
    }
    return String(decoding: Base64URL.encode(digest.indices.map { digest[$0] }), as: UTF8.self)
  }

  /// Where a browser is sent.
  func address(at endpoint: WebAddress, scope: String) throws(CryptoError) -> String {
    let fields = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURL),
      ("scope", scope), ("state", state), ("nonce", nonce),
      ("code_challenge", try CodeGrant.challenge(of: verifier)), ("code_challenge_method", "S256"),
    ]
    let query = fields.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    return endpoint.text + (endpoint.target.contains("?") ? "&" : "?") + query
  }

  /// The code in what came back to the redirect address.
  ///
  /// - Parameter query: what follows the question mark.
  func code(in query: some StringProtocol) throws(AccountError) -> SecretBytes {
    let fields = FormText.fields(of: query)
    guard let given = fields["state"],
      constantTimeEqual(Array(given.utf8).span, Array(state.utf8).span)
    else {
      throw AccountError(
        .stateMismatch, "what came back belongs to another sign-in", remedy: "use \(.signIn) again")
    }
    // Of two of them another reader could take the other one (RFC 6749, 3.1).
    guard !["iss", "error"].contains(where: { FormText.repeats($0, in: query) }) else {
      throw AccountError(.stateMismatch, "what came back says one thing twice")
    }
    if fields["iss"] != issuer, fields["iss"] != nil || namesItself {
      throw AccountError(.stateMismatch, "what came back is of another issuer")
    }
    if let error = fields["error"] {
      let text = TokenVerdict.text(
        error, fields["error_description"].map { ForeignText($0).limited(to: 200) })
      throw AccountError(
        error == "access_denied" ? .denied : .configuration, "the issuer says \(text)")
    }
    return try CodeGrant.code(fields["code"] ?? "")
  }

  /// The code in what somebody pasted: the address at which the browser ended, its query, or the code
  /// alone, which then is held only by the verifier.
  func code(pasted text: String) throws(AccountError) -> SecretBytes {
    let text = text.filter { !$0.isWhitespace }
    if let mark = text.firstIndex(of: "?") {
      return try code(in: text[text.index(after: mark)...].prefix { $0 != "#" })
    }
    // A code alone may end as base64 does.
    let isQuery = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.contains(UInt8(ascii: "="))
    return isQuery ? try code(in: text) : try CodeGrant.code(text)
  }

  private static func code(_ text: String) throws(AccountError) -> SecretBytes {
    guard !text.isEmpty, text.utf8.count <= 4096,
      text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
    else { throw AccountError(.undecodable, "what came back has no code in it") }
    return SecretBytes(copying: Array(text.utf8).span)
  }

  /// Looks whether the tokens that came for the code are meant for us (OpenID Connect Core 1.0,
  /// 3.1.3.7).
  func check(_ grant: TokenGrant) throws(AccountError) {
    try IDToken.check(grant, issuer: issuer, clientID: clientID, nonce: nonce)
  }
}
