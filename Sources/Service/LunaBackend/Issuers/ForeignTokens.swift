import HTTPServer
import JSONWebToken
import LunaAccount
import LunaClient
import Synchronization

/// Says whose a token of a trusted issuer is.
final class ForeignTokens: Sendable {
  private struct Trusted: Sendable {
    let issuer: TrustedIssuer
    let keys: IssuerKeys
    let introspection: Introspection?
  }

  private let issuers: [Trusted]
  private let now: @Sendable () -> Int64

  private let address = Mutex("")

  /// - Parameters:
  ///   - client: how issuers are reached.
  ///   - now: s since 1970.
  init(
    _ issuers: [TrustedIssuer], _ client: ClientConfiguration, _ log: BackendLog,
    now: @escaping @Sendable () -> Int64
  ) {
    let client = ForeignTokens.patient(client)
    self.now = now
    self.issuers = issuers.map { issuer in
      Trusted(
        issuer: issuer, keys: IssuerKeys(issuer.issuer, IssuerClient(client), log),
        introspection: issuer.introspection.map {
          Introspection(issuer, at: $0, client, log, now: now)
        })
    }
  }

  /// A request waits for what an issuer says: not for long.
  static func patient(_ configuration: ClientConfiguration) -> ClientConfiguration {
    var configuration = configuration
    configuration.connectTimeout = min(configuration.connectTimeout, .seconds(3))
    configuration.totalTimeout = min(configuration.totalTimeout, .seconds(5))
    return configuration
  }

  /// Notes the address of the backend, which tokens are for unless something else is said.
  func note(_ new: PublicURL?) { address.withLock { $0 = new?.description ?? "" } }

  /// Whose a token is.
  func subject(of text: String) async throws(ForeignTokenError) -> ForeignSubject {
    guard text.utf8.count <= WebToken.limit else { throw .invalid("it is too long") }
    // RFC 6750, 2.1.
    guard text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
      throw .invalid("it has characters that no token has")
    }
    // Three parts, whatever is in them: what looks like a JWT is shown to nobody else.
    if text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 {
      return try await subject(ofJWT: Array(text.utf8))
    }
    var unavailable: ForeignTokenError?
    var reason = "no issuer of it is known"
    for issuer in issuers {
      guard let introspection = issuer.introspection else { continue }
      switch await introspection.subject(of: text, by: rules(of: issuer.issuer)) {
      case .success(let subject): return subject
      case .failure(.invalid(let why)): reason = why
      case .failure(let error): unavailable = error
      }
    }
    throw unavailable ?? .invalid(reason)
  }

  /// Whose an ID token is that an issuer gave for a sign-in at the console, and what else it says.
  func subject(
    ofSignIn text: [UInt8], at issuer: TrustedIssuer, client: String, nonce: String
  ) async throws(ForeignTokenError) -> (ForeignSubject, WebTokenClaims) {
    let token = try token(text, limit: WebToken.signInLimit)
    let subject: String
    do throws(TokenRules.Refusal) {
      subject = try rules(of: issuer).subject(
        ofSignIn: token, client: client, nonce: nonce, at: now())
    } catch {
      throw .invalid(error.rawValue)
    }
    guard let keys = issuers.first(where: { $0.issuer.issuer == issuer.issuer })?.keys,
      try await keys.signed(token)
    else { throw .invalid("its signature is wrong") }
    return (ForeignSubject(issuer: issuer.issuer, subject: subject), token.claims)
  }

  private func token(
    _ text: [UInt8], limit: Int = WebToken.limit
  ) throws(ForeignTokenError) -> WebToken {
    do throws(WebTokenProblem) {
      return try WebToken(text, limit: limit)
    } catch {
      throw .invalid("it is no signed token that is taken here")
    }
  }

  private func subject(ofJWT text: [UInt8]) async throws(ForeignTokenError) -> ForeignSubject {
    let token = try token(text)
    guard let issuer = issuers.first(where: { $0.issuer.issuer == token.claims.issuer })
    else { throw .invalid("its issuer is not trusted here") }
    // Before the signature: nobody asks an issuer for keys because of what is not for us anyway.
    let subject: String
    do throws(TokenRules.Refusal) {
      subject = try rules(of: issuer.issuer).subject(of: token, at: now())
    } catch {
      throw .invalid(error.rawValue)
    }
    guard try await issuer.keys.signed(token) else { throw .invalid("its signature is wrong") }
    return ForeignSubject(issuer: issuer.issuer.issuer, subject: subject)
  }

  private func rules(of issuer: TrustedIssuer) -> TokenRules {
    TokenRules(issuer, publicURL: address.withLock { $0 })
  }
}
