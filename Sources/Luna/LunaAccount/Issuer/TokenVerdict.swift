import LunaClient
import LunaCrypto
import LunaJSON
import SafeText

/// What the answer of a token endpoint means.
enum TokenVerdict: Sendable {
  /// 200 with a token.
  case tokens(TokenGrant)
  /// 200 with anything else.
  case undecodable
  /// The grant is over.
  case invalidGrant
  /// Another error of OAuth (RFC 6749, 5.2; RFC 8628, 3.5).
  case oauth(code: String, description: ForeignText?)
  /// Nothing that says anything about the grant, with the error of OAuth that it names all the same.
  case later(status: Int, retryAfter: Int?, error: String? = nil)

  /// Errors that pass by themselves.
  private static let passing: Set<String> = ["temporarily_unavailable", "server_error"]

  /// Reads an answer, and wipes it.
  init(_ answer: inout HTTPAnswer) {
    defer { wipe(&answer.body) }
    switch answer.status {
    case 200: self = TokenVerdict.grant(&answer.body).map { .tokens($0) } ?? .undecodable
    case 400, 401: self = TokenVerdict.refusal(answer)
    default: self = TokenVerdict.undecided(answer)
    }
  }

  /// Answers to who waits for a person on another device (RFC 8628, 3.5), and what Entra says for `access_denied`.
  private static let deviceErrors: Set = [
    "authorization_pending", "slow_down", "access_denied", "authorization_declined",
    "expired_token",
  ]

  /// Reads the answer to who waits for a person on another device, and wipes it. Auth0 gives those with 403 and 429,
  /// Google with 403 and 428.
  static func ofDevice(_ answer: inout HTTPAnswer) -> TokenVerdict {
    guard [403, 428, 429].contains(answer.status), answer.retryAfter == nil,
      case .oauth(let code, let description) = TokenVerdict.refusal(answer),
      deviceErrors.contains(code)
    else { return TokenVerdict(&answer) }
    wipe(&answer.body)
    return .oauth(code: code, description: description)
  }

  private static func grant(_ body: inout [UInt8]) -> TokenGrant? {
    let names = ["access_token", "refresh_token", "id_token"]
    let secrets = SecretJSON.take(names, from: &body)
    guard let token = secrets["access_token"], let value = try? JSONReader.read(body),
      case .object(let object) = value
    else { return nil }
    // Some write null for what they do not say.
    guard object["error"] ?? .null == .null else { return nil }
    var grant = TokenGrant(accessToken: token)
    grant.refreshToken = secrets["refresh_token"]
    grant.idToken = secrets["id_token"]
    if case .string(let scope)? = object["scope"], scope.utf8.count <= 4096 { grant.scope = scope }
    if case .string(let subject)? = object["sub"], subject.utf8.count <= 1024 {
      grant.subject = subject
    }
    grant.expiresIn = object["expires_in"].flatMap { seconds(of: $0) }
    return grant
  }

  /// A number, also one that is written as a text or with a fraction, or both; what is no time is none.
  static func seconds(of value: JSONValue) -> Int64? {
    let number: Int64? =
      switch value {
      case .integer(let number): number
      case .real(let number): Int64(exactly: number.rounded(.down))
      case .string(let text):
        Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
      default: nil
      }
    return number.flatMap { $0 < 0 ? nil : min($0, Credential.longest) }
  }

  private static func refusal(_ answer: HTTPAnswer) -> TokenVerdict {
    // glewlwyd says nothing at all.
    if answer.body.isEmpty { return .invalidGrant }
    guard let (code, description) = error(in: answer.body), !passing.contains(code) else {
      return undecided(answer)
    }
    return code == "invalid_grant" ? .invalidGrant : .oauth(code: code, description: description)
  }

  private static func undecided(_ answer: HTTPAnswer) -> TokenVerdict {
    .later(
      status: answer.status, retryAfter: answer.retryAfter,
      error: error(in: answer.body).map { text($0.code, $0.description) })
  }

  private static func error(
    in body: [UInt8]
  ) -> (code: String, description: ForeignText?)? {
    guard let value = try? JSONReader.read(body), case .object(let object) = value,
      case .string(let code)? = object["error"]
    else { return nil }
    guard case .string(let text)? = object["error_description"] else { return (code, nil) }
    return (code, ForeignText(text).limited(to: 200))
  }

  /// What is said of an error of OAuth.
  static func text(_ code: String, _ description: ForeignText?) -> String {
    let code = "\(ForeignText(code).limited(to: 60))"
    return description.map { "\(code): \($0)" } ?? code
  }
}
