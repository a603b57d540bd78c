import HTTPServer
import LunaJSON
import Synchronization
import WebAccess

/// Whether there are sessions of browsers, and what a request of one has to look like so that no other
/// site can have sent it.
final class BrowserGuard: Sendable {
  /// Where browsers may sign in.
  enum Policy: Hashable, Sendable {
    /// Nowhere.
    case off
    /// Not there: passwords and cookies could be read on the way.
    case plainHTTP
    /// There.
    case on(PublicURL)
  }

  private let policy: Mutex<Policy>

  init(_ policy: Policy) { self.policy = Mutex(policy) }

  /// What is so now; it is known only once the server listens.
  var current: Policy { policy.withLock { $0 } }

  /// Says where it is.
  func set(_ policy: Policy) { self.policy.withLock { $0 = policy } }

  /// Where browsers may sign in.
  ///
  /// - Throws: why nowhere.
  func place() throws(ProblemDocument) -> PublicURL {
    switch current {
    case .on(let url): return url
    case .plainHTTP:
      throw ProblemDocument(
        403, "plainHttp", "Signing in needs https.",
        detail:
          "passwords could be read on the way; call this server by https, or on its own machine")
    case .off:
      throw .notFound("this server has no console")
    }
  }

  /// The secret that a browser sends.
  func secret(_ head: HTTPHead) -> RandomSecret? {
    guard case .on(let url) = current else { return nil }
    return head.cookie(url.cookieName).flatMap { RandomSecret($0) }
  }

  /// A cookie with a secret.
  ///
  /// - Parameter state: how far signing in has come.
  func cookie(_ secret: RandomSecret, _ state: Session.State) -> HTTPCookie? {
    let life = state == .signedIn ? Session.longest : Session.codePatience
    return cookie(\.cookieName, secret.text, maxAge: Int(life.components.seconds))
  }

  /// What a browser is known by that is away to sign in elsewhere.
  func attemptSecret(_ head: HTTPHead) -> RandomSecret? {
    guard case .on(let url) = current else { return nil }
    return head.cookie(url.attemptCookieName).flatMap { RandomSecret($0) }
  }

  /// A cookie for that.
  func attemptCookie(_ secret: RandomSecret) -> HTTPCookie? {
    cookie(
      \.attemptCookieName, secret.text, maxAge: Int(SignInAttempt.patience.components.seconds))
  }

  /// Takes the cookie away.
  var noCookie: HTTPCookie? { cookie(\.cookieName, "", maxAge: 0) }

  private func cookie(
    _ name: KeyPath<PublicURL, String>, _ value: String, maxAge: Int
  ) -> HTTPCookie? {
    guard case .on(let url) = current, var cookie = HTTPCookie(url[keyPath: name], value) else {
      return nil
    }
    cookie.maxAge = maxAge
    cookie.isSecure = url.isSecure
    return cookie
  }

  /// Whether a request may change something.
  static func isUnsafe(_ head: HTTPHead) -> Bool { !["GET", "HEAD"].contains(head.method) }

  /// Refuses requests by another name than that of the server: a name that leads here for a moment
  /// would let another site read what comes back.
  func checkHost(_ head: HTTPHead) throws(ProblemDocument) {
    guard case .on(let url) = current else { return }
    let host = head.first("host")?.lowercased()
    guard host == url.authority || host == "\(url.host):\(url.port)" else {
      throw ProblemDocument(
        421, "host", "This is not the name of this server.",
        detail: "browsers find it at \(url)")
    }
  }

  /// Refuses what the page of another site has sent.
  func checkOrigin(_ head: HTTPHead) throws(ProblemDocument) {
    guard case .on(let url) = current else { return }
    if let origin = head.first("origin") {
      guard origin.lowercased() == url.origin else { throw .csrf }
    } else {
      guard head.first("sec-fetch-site") == "same-origin" else { throw .csrf }
    }
  }

  /// Refuses to begin what the page of another site has led a browser to.
  func checkNavigation(_ head: HTTPHead) throws(ProblemDocument) {
    guard let site = head.first("sec-fetch-site") else { return }
    guard site == "same-origin" || site == "none" else { throw .csrf }
  }

  /// Refuses what has not the token of its session.
  static func checkToken(_ head: HTTPHead, _ secret: RandomSecret) throws {
    guard try StorageError.unless(CSRFToken.isRight(head.first("luna-csrf"), of: secret)) else {
      throw ProblemDocument.csrf
    }
  }

  /// The token of a session: whoever has the cookie can make it, and no page that cannot read.
  static func token(_ secret: RandomSecret) throws(StorageError) -> String {
    try StorageError.unless(CSRFToken.of(secret))
  }
}

extension ProblemDocument {
  fileprivate static let csrf = ProblemDocument(
    403, "csrf", "This request is not one of this server's own pages.",
    detail: "changes need Origin, and in a session Luna-CSRF as GET /v1/session gives it")
}
