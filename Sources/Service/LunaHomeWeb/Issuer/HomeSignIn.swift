import Bluetooth
import JSONWebToken
import LunaAccount
import LunaClient
import LunaCrypto
import LunaHome
import WebAccess

/// Signs people in at the issuer that the file names (OpenID Connect Core 1.0, 3.1). While a browser is away, what it
/// needs is kept here.
final class HomeSignIn: Sendable {
  /// A browser that is away.
  struct Attempt: Sendable {
    fileprivate let secrets: WebSignIn.Attempt
    fileprivate let redirectURL: String
    /// Whose account is to be connected; nil for somebody who signs in.
    let account: String?
    /// The page to come back to.
    let next: String
  }

  /// How long a browser may be away.
  static let patience = Duration.seconds(600)

  private let file: HomeIssuer
  private let issuers: IssuerClient
  private let way: WebSignIn
  private let attempts = OneTimeStore<Attempt>(patience: HomeSignIn.patience)

  /// - Parameter limit: how long a request may take.
  init(_ file: HomeIssuer, within limit: Duration) throws(HomeError) {
    self.file = file
    var configuration = ClientConfiguration(url: file.url)
    configuration.certificateAuthorities = file.authorities
    configuration.totalTimeout = limit
    issuers = IssuerClient(configuration)
    let secret = try file.secret().map { SecretBytes(copying: Array($0.utf8).span) }
    way = WebSignIn(
      issuers, issuer: file.url, clientID: file.client, secret: secret, scope: file.scope)
  }

  /// The issuer, as it calls itself.
  var issuer: String { file.url }

  /// What people call it.
  var name: String { file.name ?? WebAddress(file.url)?.host ?? file.url }

  /// Begins an attempt.
  ///
  /// - Parameter cookie: what the browser is known by.
  /// - Returns: where the browser is sent.
  func begin(
    for account: String?, next: String, redirectURL: String, _ cookie: RandomSecret,
    at time: Timestamp
  ) async throws(AccountError) -> String {
    let (address, secrets) = try await way.begin(redirectURL: redirectURL)
    attempts.put(
      Attempt(secrets: secrets, redirectURL: redirectURL, account: account, next: next),
      under: cookie.text + secrets.state, at: time)
    return address
  }

  /// The attempt that a browser comes back from.
  func take(_ state: String, of cookie: RandomSecret, at time: Timestamp) -> Attempt? {
    attempts.take(cookie.text + state, at: time)
  }

  /// What the issuer calls who has come back.
  ///
  /// - Parameter query: with what the browser came back.
  func subject(
    for query: String, _ attempt: Attempt, at time: Timestamp
  ) async throws(AccountError) -> String {
    let given = try await way.tokens(
      for: query, attempt.secrets, redirectURL: attempt.redirectURL)
    let document = try await issuers.keys(of: file.url)
    do {
      let token = try WebToken(given.idToken, limit: WebToken.signInLimit)
      guard try WebKeySet(document).signed(token) else {
        throw AccountError(.stateMismatch, "the issuer has not signed the ID token")
      }
      try token.checkSignIn(
        at: file.url, client: file.client, nonce: attempt.secrets.nonce,
        at: time.microseconds / 1_000_000)
      return try token.claims.name()
    } catch let refusal as WebTokenRefusal {
      throw AccountError(.stateMismatch, "the ID token is not good: \(refusal.rawValue)")
    } catch let error as AccountError {
      throw error
    } catch {
      throw AccountError(.undecodable, "the ID token or the keys cannot be read: \(error)")
    }
  }
}
