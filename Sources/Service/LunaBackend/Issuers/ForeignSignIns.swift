import Diagnosis
import JSONWebToken
import LunaAccount
import LunaClient

/// The issuers of others at which people sign in to the console.
struct ForeignSignIns: Sendable {
  /// Why nobody is signed in.
  enum Failure: Error {
    /// The person or the issuer said no, or what came back is not good; for this reason.
    case refused(String)
    /// The issuer cannot be asked just now, for this reason.
    case unavailable(String)
  }

  /// One of them.
  struct Issuer: Sendable {
    let issuer: TrustedIssuer
    let client: SignInClient
    fileprivate let way: WebSignIn

    /// What its button says.
    var name: String { client.name ?? WebAddress(issuer.issuer)?.host ?? issuer.issuer }
  }

  let issuers: [Issuer]
  private let tokens: ForeignTokens

  /// - Parameter client: how issuers are reached.
  init(_ issuers: [TrustedIssuer], _ client: ClientConfiguration, _ tokens: ForeignTokens) {
    let client = ForeignTokens.patient(client)
    self.tokens = tokens
    self.issuers = issuers.compactMap { issuer in
      issuer.signIn.map {
        Issuer(
          issuer: issuer, client: $0,
          // One each: who is slow makes nobody wait who signs in elsewhere.
          way: WebSignIn(
            IssuerClient(client), issuer: issuer.issuer, clientID: $0.client, secret: $0.secret,
            scope: $0.scope))
      }
    }
  }

  /// The one with a name.
  func issuer(_ name: String) -> Issuer? { issuers.first { $0.issuer.issuer == name } }

  /// Begins an attempt.
  func begin(
    at issuer: Issuer, redirectURL: String
  ) async throws(Failure) -> (address: String, attempt: WebSignIn.Attempt) {
    do throws(AccountError) {
      return try await issuer.way.begin(redirectURL: redirectURL)
    } catch { throw ForeignSignIns.failure(error) }
  }

  /// Who has come back from an issuer.
  ///
  /// - Parameter query: with what the browser came back.
  func person(
    at issuer: Issuer, query: String, _ attempt: WebSignIn.Attempt, redirectURL: String
  ) async throws(Failure) -> ForeignPerson {
    let text: [UInt8]
    do throws(AccountError) {
      text = try await issuer.way.idToken(for: query, attempt, redirectURL: redirectURL)
    } catch { throw ForeignSignIns.failure(error) }
    do throws(ForeignTokenError) {
      let (subject, claims) = try await tokens.subject(
        ofSignIn: text, at: issuer.issuer, client: issuer.client.client, nonce: attempt.nonce)
      return ForeignPerson(subject, claims, rules: issuer.client.roles)
    } catch {
      switch error {
      case .invalid(let reason): throw .refused("the ID token is not good: \(reason)")
      case .unavailable(let reason): throw .unavailable(reason)
      }
    }
  }

  private static func failure(_ error: AccountError) -> Failure {
    switch error.code {
    case .network, .server: .unavailable(error.reason)
    default: .refused(error.reason)
    }
  }
}
