import Diagnosis
import JSONWebToken
import LunaAccount
import LunaClient
import LunaJSON

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
    let given: WebSignIn.Tokens
    do throws(AccountError) {
      given = try await issuer.way.tokens(for: query, attempt, redirectURL: redirectURL)
    } catch { throw ForeignSignIns.failure(error) }
    let (subject, claims): (ForeignSubject, WebTokenClaims)
    do throws(ForeignTokenError) {
      (subject, claims) = try await tokens.subject(
        ofSignIn: given.idToken, at: issuer.issuer, client: issuer.client.client,
        nonce: attempt.nonce)
    } catch {
      switch error {
      case .invalid(let reason): throw .refused("the ID token is not good: \(reason)")
      case .unavailable(let reason): throw .unavailable(reason)
      }
    }
    let said = try await said(of: subject, claims.object, given, at: issuer)
    return ForeignPerson(subject, said, rules: issuer.client.roles)
  }

  /// What an ID token says, and where that leaves something open, what its issuer says besides: many give names and
  /// groups only there (OpenID Connect Core 1.0, 5.4).
  private func said(
    of subject: ForeignSubject, _ claims: JSONObject, _ tokens: WebSignIn.Tokens, at issuer: Issuer
  ) async throws(Failure) -> JSONObject {
    let rules = issuer.client.roles
    guard ForeignPerson.isOpen(claims, rules: rules) else { return claims }
    var said = claims
    do throws(AccountError) {
      // It may be of somebody else (5.3.2).
      guard let more = try await issuer.way.userinfo(with: tokens),
        more["sub"] == .string(subject.subject)
      else { return claims }
      said.members += more.members.filter { claims[$0.name] == nil }
    } catch {
      // Nobody loses rights because an issuer is away; a name alone is not missed.
      guard rules.isEmpty else { throw ForeignSignIns.failure(error) }
    }
    return said
  }

  private static func failure(_ error: AccountError) -> Failure {
    switch error.code {
    case .network, .server: .unavailable(error.reason)
    default: .refused(error.reason)
    }
  }
}
