public import LunaClient

/// Requests that show who is signed in, over one connection that is kept.
public struct AuthorizedSession: Sendable {
  private let mode: AuthMode
  private let redirects: RedirectPolicy
  private let account: LunaAccount?
  private let clients: HTTPClients?

  /// A session. Nothing is sent yet.
  ///
  /// - Parameters:
  ///   - mode: which token is shown.
  ///   - configuration: how servers are reached; nil for what the account has.
  ///   - redirects: where the token goes when a server sends elsewhere.
  ///   - account: whose.
  public init(
    mode: AuthMode, configuration: ClientConfiguration? = nil,
    redirects: RedirectPolicy = .sameOrigin, account: LunaAccount? = .shared
  ) {
    self.mode = mode
    self.redirects = redirects
    self.account = account
    clients = configuration.map { HTTPClients($0) }
  }

  /// Gets what is at an address, with a token that holds then.
  public func data(for url: String) async throws(AccountError) -> HTTPAnswer {
    var request = AuthorizedRequest(
      url: url, mode: mode, redirects: redirects, account: account)
    request.clients = clients
    return try await request.send()
  }
}
