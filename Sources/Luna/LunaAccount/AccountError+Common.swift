import Diagnosis
import LunaClient

extension AccountError {
  static let notLoggedIn = AccountError(
    .notLoggedIn, "nobody is signed in", remedy: "use \(.signIn)")

  static let cancelled = AccountError(.cancelled, "the sign-in was given up")

  static let locked = AccountError(
    .locked, "another process has been renewing the credential for too long",
    remedy: "find it with fuser and the file that ends in .lock, and end it")

  static func noIDToken(expired: Bool) -> AccountError {
    AccountError(
      .jwtNotFound,
      expired ? "the ID token has expired, and the issuer gives no other" : "there is no ID token",
      remedy: "use \(.accessTokens)")
  }

  /// A server could not be asked.
  init(_ error: HTTPError) {
    let code: Code =
      switch error.kind {
      case .unreachable, .interrupted, .untrusted, .library: .network
      case .tooLong: error.status == 200 ? .undecodable : .server
      case .request: .configuration
      }
    self.init(code, error.reason, remedy: error.remedy)
    isLibrary = error.kind == .library
  }
}
