import Diagnosis
public import LunaClient
import LunaCrypto
import SafeText

/// A request that shows who is signed in, to whom that concerns and to nobody else.
public struct AuthorizedRequest: Sendable {
  /// Such as `GET`.
  public var method = "GET"
  /// The header fields. `Authorization` and `X-Authorization` are left out of them.
  public var headers: [HTTPField] = []
  /// The body; nil for none.
  public var body: [UInt8]?
  /// Fields that are not the caller's to set.
  private static let own = ["Authorization", "X-Authorization", "Content-Length", "Host"]
  /// Fields that go only where the token goes.
  private static let personal = ["Cookie", "Proxy-Authorization"]

  private let url: String
  private let mode: AuthMode
  private let redirects: RedirectPolicy
  private let account: LunaAccount?
  /// The ways to servers; nil for the account's.
  var clients: HTTPClients?

  /// A request.
  ///
  /// - Parameters:
  ///   - url: has to be at the issuer's host, the backend's, or one of
  ///     ``AccountConfiguration/hosts``.
  ///   - mode: which token is shown.
  ///   - redirects: where it goes when the server sends elsewhere; at most five times.
  ///   - account: whose.
  public init(
    url: String, mode: AuthMode, redirects: RedirectPolicy = .sameOrigin,
    account: LunaAccount? = .shared
  ) {
    self.url = url
    self.mode = mode
    self.redirects = redirects
    self.account = account
  }

  /// Sends it. A token that is refused is renewed once, and a request that may be repeated is.
  ///
  /// - Returns: the answer, whatever its status.
  /// - Throws: `foreignHost` before anything is sent where the token is not for that host; `redirect` for
  ///   a redirect that is not followed.
  public func send() async throws(AccountError) -> HTTPAnswer {
    guard let account else {
      throw AccountError(.platformNotEnabled, "the program has not enabled an account")
    }
    let start = try await account.checked(url)
    var hasRenewed = false
    while true {
      var path = RedirectPath(
        start, method: method, hasBody: body != nil, policy: redirects)
      let (answer, refused) = try await walk(&path, account)
      guard let refused, !hasRenewed else { return answer }
      hasRenewed = true
      do throws(AccountError) {
        try await account.refresh(after: refused)
      } catch {
        return answer
      }
      guard ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(method) else { return answer }
    }
  }

  /// Goes from server to server until one answers.
  ///
  /// - Returns: the answer, and the token if it is refused.
  private func walk(
    _ path: inout RedirectPath, _ account: LunaAccount
  ) async throws(AccountError) -> (HTTPAnswer, refused: SecretBytes?) {
    while true {
      // A token of its own for each: one may have ended meanwhile.
      let token = path.hasCredentials ? try await account.token(mode) : nil
      let fields = headers.filter { field in
        !AuthorizedRequest.own.contains { field.isNamed($0) }
          && (token != nil || !AuthorizedRequest.personal.contains { field.isNamed($0) })
      }
      let client = try (clients ?? account.clients).client(for: path.address)
      let answer: HTTPAnswer
      do throws(HTTPError) {
        answer = try await client.send(
          path.method, path.address.text, headers: fields,
          secrets: token.map { account.lines(with: $0) } ?? [],
          body: path.hasBody ? body : nil)
      } catch {
        throw AccountError(error)
      }
      guard RedirectPath.isRedirect(answer.status) else {
        return (answer, answer.status == 401 ? token : nil)
      }
      try path.follow(status: answer.status, location: answer.first("Location"))
    }
  }
}
