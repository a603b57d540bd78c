import Diagnosis
import JSONWebToken
import LunaAccount
import LunaClient
import LunaCrypto
import LunaJSON
import SafeText
import WebAccess

/// Asks an issuer about tokens that only it can read (RFC 7662).
actor Introspection {
  /// Questions at once.
  private static let width = 8
  /// Questions in a second.
  private static let rate = 20.0

  private let issuer: String
  private let address: String
  private let authorization: SecretBytes?
  private let configuration: ClientConfiguration
  private let log: BackendLog
  private let now: @Sendable () -> Int64
  private let start = ContinuousClock.now

  private var cache = IntrospectionCache()
  private var bucket = TokenBucket(
    rate: Introspection.rate, capacity: Introspection.rate, at: .now)
  /// Those that ask nothing just now.
  private var idle: [HTTPClient] = []
  private var asking = 0
  private var questions: [[UInt8]: Task<Result<ForeignSubject, ForeignTokenError>, Never>] = [:]

  /// - Parameters:
  ///   - address: https, or this machine; was checked.
  ///   - now: s since 1970.
  init(
    _ issuer: TrustedIssuer, at address: String, _ configuration: ClientConfiguration,
    _ log: BackendLog, now: @escaping @Sendable () -> Int64
  ) {
    self.issuer = issuer.issuer
    self.address = address
    self.log = log
    self.now = now
    var configuration = configuration
    configuration.answerLimit = 64 << 10
    // The environment's proxy would take a token off this machine.
    if let place = WebAddress(address), place.isLoopback, !place.isEncrypted,
      configuration.proxy.isEmpty
    {
      configuration.proxy = "-"
    }
    self.configuration = configuration
    authorization = issuer.introspectionClient.map {
      ClientSecret(issuer.introspectionSecret).headerLine(of: $0)
    }
  }

  /// Whose a token is.
  func subject(
    of token: String, by rules: TokenRules
  ) async -> Result<ForeignSubject, ForeignTokenError> {
    guard let digest = try? SecretDigest.of(token) else {
      return .failure(.unavailable("there is no memory"))
    }
    if let known = cache.answer(for: digest, at: uptime) { return known }
    if let question = questions[digest] { return await question.value }
    guard asking < Introspection.width, bucket.take(1, at: .now) == nil else {
      return .failure(.unavailable("its issuer is asked too much at once"))
    }
    asking += 1
    let task = Task { await ask(token, digest, rules) }
    questions[digest] = task
    let answer = await task.value
    return answer
  }

  private var uptime: Int64 { (ContinuousClock.now - start).components.seconds }

  private func ask(
    _ token: String, _ digest: [UInt8], _ rules: TokenRules
  ) async -> Result<ForeignSubject, ForeignTokenError> {
    var client: HTTPClient?
    let (answer, seconds) = await answer(to: token, rules, &client)
    if let client { idle.append(client) }
    asking -= 1
    questions[digest] = nil
    cache.note(answer, for: digest, lasts: seconds, at: uptime)
    if case .failure(.unavailable(let reason)) = answer {
      log.line(
        .error, "an issuer says nothing about tokens",
        ["issuer": .string(issuer), "reason": .string(reason)])
    }
    return answer
  }

  private func answer(
    to token: String, _ rules: TokenRules, _ client: inout HTTPClient?
  ) async -> (Result<ForeignSubject, ForeignTokenError>, seconds: Int64?) {
    let form = "token=\(PercentEncoding.encode(token))&token_type_hint=access_token"
    let answer: HTTPAnswer
    do throws(HTTPError) {
      let used: HTTPClient
      if let rested = idle.popLast() { used = rested } else { used = try HTTPClient(configuration) }
      client = used
      answer = try await used.send(
        "POST", address,
        headers: [
          HTTPField("Content-Type", "application/x-www-form-urlencoded"),
          HTTPField("Accept", "application/json"),
        ], secrets: [authorization].compactMap(\.self), body: Array(form.utf8))
    } catch {
      return (.failure(.unavailable(error.reason)), nil)
    }
    guard answer.status == 200 else {
      return (.failure(.unavailable("it answers with status \(answer.status)")), nil)
    }
    guard let value = try? JSONReader.read(answer.body, rules: .strict(elements: 1000)),
      case .object(let object) = value, let claims = try? WebTokenClaims(answer: object)
    else { return (.failure(.unavailable("its answer cannot be read")), nil) }
    let now = now()
    do throws(TokenRules.Refusal) {
      let subject = try rules.subject(of: claims, at: now)
      return (
        .success(ForeignSubject(issuer: issuer, subject: subject)),
        claims.expiresAt.map { $0.subtractingReportingOverflow(now).partialValue }
      )
    } catch {
      return (.failure(.invalid(error.rawValue)), nil)
    }
  }
}
