import Bluetooth
import HTTPServer
import LunaJSON

/// Says who calls: by a token, or else by the cookie of a browser.
struct Gatekeeper: Sendable {
  let tokens: BearerTokens
  let accounts: AccountStore
  let browsers: BrowserGuard

  init(
    _ storage: any Storage, _ browsers: BrowserGuard, _ foreign: ForeignTokens, isDemo: Bool = false
  ) {
    tokens = BearerTokens(
      storage: storage, issuer: OwnIssuer(storage: storage), foreign: foreign, isDemo: isDemo)
    accounts = AccountStore(storage)
    self.browsers = browsers
  }

  /// The caller; nil where nobody says who it is.
  ///
  /// - Parameter isNoted: whether a session counts as used by it.
  /// - Throws: a problem where what it says is wrong.
  func caller(
    _ request: HTTPRequest, at time: Timestamp, isNoted: Bool = true
  ) async throws -> Caller? {
    if request.head.first("authorization") != nil {
      // With a token, cookies are not looked at: no browser sends one by itself.
      guard let token = request.head.bearerToken,
        let caller = try await tokens.caller(of: token, at: time)
      else { throw ProblemDocument.unknownToken }
      return caller
    }
    guard let secret = browsers.secret(request.head) else { return nil }
    try browsers.checkHost(request.head)
    guard let (session, role) = try await accounts.session(secret, at: time),
      session.state == .signedIn
    else { return nil }
    if BrowserGuard.isUnsafe(request.head) {
      try browsers.checkOrigin(request.head)
      try BrowserGuard.checkToken(request.head, secret)
    }
    if isNoted, session.isNoteDue(at: time) { try await accounts.note(session, at: time) }
    return Caller(account: session.account, rights: role, session: session)
  }
}
