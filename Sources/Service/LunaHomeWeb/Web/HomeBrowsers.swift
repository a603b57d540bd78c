import Diagnosis
package import HTTPServer
package import LunaJSON
package import WebAccess

/// What requests of browsers have to look like, so that no other site can have sent them.
package struct HomeBrowsers: Sendable {
  private let isSecure: Bool
  private let publicURL: PublicURL?
  private let names: Set<String>

  /// - Parameter address: where it listens, with the port that it got.
  package init(_ settings: HomeServerSettings, at address: ListenAddress) {
    isSecure = settings.tls != nil
    publicURL = settings.publicURL
    var names = Set(settings.names)
    if let url = settings.publicURL { names.insert(url.host) }
    // An address is no name that somebody could make lead here for a moment.
    let host = address.host.lowercased()
    if !["0.0.0.0", "::"].contains(host) { names.insert(host.contains(":") ? "[\(host)]" : host) }
    self.names = names
  }

  /// Whether browsers are told to come by https alone from now on.
  var isStrict: Bool { publicURL.map { $0.isSecure && $0.port == 443 } ?? false }

  /// Refuses requests by another name than those of this server: a name that leads here for a moment would let
  /// another site read what comes back.
  package func checkHost(_ head: HTTPHead) throws(ProblemDocument) {
    let authority = (head.first("host") ?? "").lowercased()
    let host = HomeBrowsers.host(of: authority)
    guard !names.contains(host), !names.contains(authority) else { return }
    guard PublicURL("http://\(host)")?.isLoopback == true else {
      throw ProblemDocument(
        403, "host", "This is not a name of this server.",
        detail: "names that it may be asked by stand in server.names of its file")
    }
  }

  private static func host(of authority: String) -> String {
    guard let colon = authority.lastIndex(of: ":") else { return authority }
    let bracket = authority.lastIndex(of: "]")
    return bracket.map({ $0 < colon }) ?? true ? String(authority[..<colon]) : authority
  }

  /// Whether a browser came by https.
  private func isSecure(_ head: HTTPHead) -> Bool {
    if isSecure { return true }
    guard let publicURL, publicURL.isSecure else { return false }
    return HomeBrowsers.host(of: (head.first("host") ?? "").lowercased()) == publicURL.host
  }

  /// Refuses what the page of another site has sent.
  package func checkOrigin(_ head: HTTPHead) throws(ProblemDocument) {
    if let origin = head.first("origin")?.lowercased() {
      let scheme = isSecure(head) ? "https" : "http"
      let own = "\(scheme)://\((head.first("host") ?? "").lowercased())"
      guard origin == own || origin == publicURL?.origin else { throw HomeBrowsers.csrf }
    } else {
      guard head.first("sec-fetch-site") == "same-origin" else { throw HomeBrowsers.csrf }
    }
  }

  /// What is said to who shows no token of the session.
  package static let csrf = ProblemDocument(
    403, "csrf", "This request is not one of this server's own pages.",
    detail: "changes need Origin, and in a session X-Luna-CSRF as GET /api/v1/me gives it")

  /// What links for others begin with.
  package func base(for head: HTTPHead) -> String {
    publicURL?.origin
      ?? "\(isSecure(head) ? "https" : "http")://\((head.first("host") ?? "").lowercased())"
  }

  /// For whom browsers keep passkeys that come by this name; nil where they keep none: of an address, and by plain
  /// http but from this machine.
  func party(for head: HTTPHead) -> PasskeyParty? {
    let authority = (head.first("host") ?? "").lowercased()
    let host = HomeBrowsers.host(of: authority)
    let isSecure = isSecure(head)
    let last = host.split(separator: ".").last ?? "0"
    let isAddress = host.hasPrefix("[") || last.allSatisfy(\.isNumber)
    guard host == "localhost" || (isSecure && !isAddress) else { return nil }
    var origins: Set = ["\(isSecure ? "https" : "http")://\(authority)"]
    if let publicURL, publicURL.host == host { origins.insert(publicURL.origin) }
    return PasskeyParty(id: host, origins: origins)
  }

  /// By http, cookies are sent to every port of a machine.
  private func cookieName(_ head: HTTPHead) -> String {
    isSecure(head) ? "__Host-luna-home" : "luna-home"
  }

  /// What a browser is known by that is away to sign in elsewhere.
  func attempt(_ head: HTTPHead) -> RandomSecret? {
    head.cookie(cookieName(head) + "-away").flatMap { RandomSecret($0) }
  }

  /// The cookie that keeps it. It has to come along from the page of another site.
  func attemptCookie(_ secret: RandomSecret, for head: HTTPHead) -> HTTPCookie? {
    guard var cookie = HTTPCookie(cookieName(head) + "-away", secret.text) else { return nil }
    cookie.maxAge = Int(HomeSignIn.patience / .seconds(1))
    cookie.isSecure = isSecure(head)
    cookie.sameSite = .lax
    return cookie
  }

  /// The secret that a browser sends.
  package func secret(_ head: HTTPHead) -> RandomSecret? {
    head.cookie(cookieName(head)).flatMap { RandomSecret($0) }
  }

  /// The cookie that keeps a secret, or takes it away.
  package func cookie(_ secret: RandomSecret?, for head: HTTPHead) -> HTTPCookie? {
    guard var cookie = HTTPCookie(cookieName(head), secret?.text ?? "") else { return nil }
    // The server ends a session that is not used; a browser keeps no cookie longer than this.
    cookie.maxAge = secret == nil ? 0 : 400 * 86_400
    cookie.isSecure = isSecure(head)
    cookie.sameSite = .strict
    return cookie
  }
}
