import HTTPServer

extension PublicURL {
  /// The cookie of sessions: on this machine all ports have the same cookies.
  var cookieName: String { isSecure ? "__Host-luna" : "luna-\(port)" }

  /// The cookie of browsers that are away to sign in elsewhere.
  var attemptCookieName: String { cookieName + "-oidc" }

  /// Where they come back to.
  var redirectURL: String { origin + "/v1/session/oidc" }
}
