import Diagnosis
package import LunaCrypto
package import LunaJSON
import SafeText

/// Signs people in to a web server at an issuer: the authorization code flow with PKCE (OpenID Connect
/// Core 1.0, 3.1; RFC 7636). Between its two halves the browser is away, and the server keeps what it needs.
package struct WebSignIn: Sendable {
  /// What is kept while the browser is away.
  package struct Attempt: Sendable {
    /// What comes back with the code.
    package let state: String
    /// What comes back in the ID token.
    package let nonce: String
    /// What only the server has, and shows with the code.
    package let verifier: String

    /// One that was kept.
    package init(state: String, nonce: String, verifier: String) {
      self.state = state
      self.nonce = nonce
      self.verifier = verifier
    }
  }

  /// What an issuer gives for what came back.
  package struct Tokens: Sendable {
    /// Says who it is; nobody has checked it yet.
    package let idToken: [UInt8]
    /// With which the issuer can be asked for more.
    fileprivate let accessToken: SecretBytes
  }

  /// How long what an issuer says of itself is believed: a server runs for years.
  private static let memory = Duration.seconds(3600)

  private let issuers: IssuerClient
  private let issuer: String
  private let clientID: String
  private let secret: SecretBytes?
  private let scope: String?

  /// - Parameters:
  ///   - issuer: as it calls itself.
  ///   - clientID: as what the server is known there.
  ///   - secret: nil where it has none.
  ///   - scope: nil for `openid`, and `profile` where the issuer has it.
  package init(
    _ issuers: IssuerClient, issuer: String, clientID: String, secret: SecretBytes?,
    scope: String?
  ) {
    self.issuers = issuers
    self.issuer = issuer
    self.clientID = clientID
    self.secret = secret
    self.scope = scope
  }

  /// Begins an attempt.
  ///
  /// - Parameter redirectURL: where the browser comes back to.
  /// - Returns: where it is sent, and what is to be kept.
  package func begin(
    redirectURL: String
  ) async throws(AccountError) -> (address: String, attempt: Attempt) {
    let metadata = try await issuers.metadata(of: issuer, within: WebSignIn.memory)
    guard let endpoint = metadata.authorizationEndpoint else {
      throw AccountError(
        .configuration, "the issuer \(ForeignText(issuer)) has no page to sign in at")
    }
    do throws(CryptoError) {
      let grant = try CodeGrant(
        issuer: issuer, clientID: clientID, redirectURL: redirectURL,
        namesItself: metadata.namesItself)
      let verifier = grant.verifier.withBytes { bytes in
        String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
      }
      return (
        try grant.address(
          at: endpoint,
          scope: scope ?? (metadata.scopes.contains("profile") ? "openid profile" : "openid")),
        Attempt(state: grant.state, nonce: grant.nonce, verifier: verifier)
      )
    } catch {
      throw AccountError(.storage, error.reason)
    }
  }

  /// Changes what came back for tokens.
  ///
  /// - Parameters:
  ///   - query: what follows the question mark in the address that the browser came back to.
  ///   - redirectURL: the same as at the beginning.
  package func tokens(
    for query: some StringProtocol, _ attempt: Attempt, redirectURL: String
  ) async throws(AccountError) -> Tokens {
    let metadata = try await issuers.metadata(of: issuer)
    let grant = CodeGrant(
      issuer: issuer, clientID: clientID, redirectURL: redirectURL,
      namesItself: metadata.namesItself, verifier: attempt.verifier, state: attempt.state,
      nonce: attempt.nonce)
    let code = try grant.code(in: query)
    var form = FormText([
      ("grant_type", "authorization_code"), ("redirect_uri", redirectURL),
    ])
    var lines: [SecretBytes] = []
    if let secret, !metadata.wantsSecretInForm {
      lines = [ClientSecret(secret).headerLine(of: clientID)]
    } else {
      form.add("client_id", SecretBytes(copying: Array(clientID.utf8).span))
      if let secret { form.add("client_secret", secret) }
    }
    form.add("code", code)
    form.add("code_verifier", grant.verifier)
    switch try await issuers.tokens(form, at: metadata.tokenEndpoint, secrets: lines) {
    case .tokens(let tokens):
      guard let token = tokens.idToken else {
        throw AccountError(.undecodable, "the issuer gives no ID token")
      }
      return Tokens(
        idToken: token.withBytes { bytes in bytes.indices.map { bytes[$0] } },
        accessToken: tokens.accessToken)
    case .undecodable: throw AccountError(.undecodable, "the issuer's answer cannot be read")
    case .invalidGrant: throw AccountError(.expired, "the issuer does not take the code")
    case .oauth(let code, let description):
      throw AccountError(
        .configuration,
        "the issuer does not take the code: \(TokenVerdict.text(code, description))")
    // So Auth0 refuses a code.
    case .later(403, _, let error?):
      throw AccountError(.configuration, "the issuer does not take the code: \(error)")
    case .later(let status, _, _):
      throw AccountError(.server, "the issuer answers with status \(status)")
    }
  }

  /// What the issuer says of who has come back beside the ID token; it may be of somebody else, whom `sub` names.
  package func userinfo(with tokens: Tokens) async throws(AccountError) -> JSONObject? {
    try await issuers.userinfo(of: issuer, with: tokens.accessToken)
  }
}
