import Diagnosis
import SafeText

/// The way of a request from server to server: what is sent where, and whether with a token.
struct RedirectPath: Sendable {
  /// One more is not followed.
  static let limit = 5

  private(set) var address: WebAddress
  private(set) var method: String
  private(set) var hasBody: Bool
  /// Whether the token goes along. Once it does not, it never does again.
  private(set) var hasCredentials = true
  private let start: WebAddress
  private let policy: RedirectPolicy
  private var count = 0

  init(_ start: WebAddress, method: String, hasBody: Bool, policy: RedirectPolicy) {
    address = start
    self.start = start
    self.method = method
    self.hasBody = hasBody
    self.policy = policy
  }

  /// Whether an answer sends elsewhere.
  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Goes to where an answer sends.
  ///
  /// - Parameter location: its header field; nil without one.
  mutating func follow(status: Int, location: String?) throws(AccountError) {
    count += 1
    guard count <= RedirectPath.limit else {
      throw refusal("more than \(RedirectPath.limit) redirects follow each other")
    }
    guard let location, let next = address.resolving(location) else {
      throw refusal("a redirect leads to no address of the web")
    }
    guard next.isEncrypted || !address.isEncrypted else {
      throw refusal("a redirect leads from https to http")
    }
    let isTrusted = mayHaveCredentials(next)
    hasCredentials = hasCredentials && isTrusted
    if status >= 307 {
      guard hasCredentials || !hasBody && ["GET", "HEAD"].contains(method) else {
        throw refusal("a redirect asks for the same again at \(next.origin)")
      }
    } else {
      if method != "HEAD" { method = "GET" }
      hasBody = false
    }
    address = next
  }

  private func mayHaveCredentials(_ next: WebAddress) -> Bool {
    if case .drop = policy { return false }
    if next.origin == start.origin { return true }
    guard case .allowList(let places) = policy else { return false }
    return next.isPrivate && places.contains { next.isAt($0) }
  }

  private func refusal(_ reason: String) -> AccountError {
    AccountError(.redirect, reason, remedy: "use the address that it is really at")
  }
}
