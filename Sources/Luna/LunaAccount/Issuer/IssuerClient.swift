import Diagnosis
package import LunaClient
import LunaCore
import LunaCrypto
import LunaJSON
import SafeText
import Synchronization

/// The way to an issuer: what it says of itself, and its token endpoint. Redirects are not followed.
package final class IssuerClient: Sendable {
  /// An answer that is longer is none.
  private static let limit = 64 << 10
  /// Shorter than others wait for the lock.
  private static let patience = Duration.seconds(30)

  private let clients: HTTPClients
  private let known = Mutex<[String: (metadata: IssuerMetadata, at: ContinuousClock.Instant)]>([:])

  package init(_ configuration: ClientConfiguration) {
    var configuration = configuration
    configuration.answerLimit = min(configuration.answerLimit, IssuerClient.limit)
    configuration.totalTimeout = min(configuration.totalTimeout, IssuerClient.patience)
    clients = HTTPClients(configuration)
  }

  /// An issuer's or a backend's address, to which secrets may go.
  func address(_ text: String, _ what: String) throws(AccountError) -> WebAddress {
    // Before anything of it is shown: it would be a password.
    guard let address = WebAddress(text), !text.contains("?"), !text.contains("#") else {
      throw AccountError(
        .configuration, "the address of the \(what) is no URL",
        remedy: "use https://HOST[:PORT][/PATH]")
    }
    guard address.isPrivate || clients.configuration.allowsInsecure else {
      throw AccountError(
        .configuration,
        "\(text) is not https: anybody on the network path could read the credential",
        remedy: "use https")
    }
    return address
  }

  /// - Parameters:
  ///   - issuer: as it calls itself.
  ///   - age: how old what is known may be; nil for any age.
  func metadata(
    of issuer: String, within age: Duration? = nil
  ) async throws(AccountError) -> IssuerMetadata {
    if let known = known.withLock({ $0[issuer] }),
      age.map({ known.at.duration(to: .now) < $0 }) ?? true
    {
      return known.metadata
    }
    let address = try address(issuer, "issuer")
    var failure: AccountError?
    for place in IssuerMetadata.addresses(of: address) {
      let answer = try await get(place)
      if answer.status == 200 {
        let metadata = try IssuerMetadata(answer.body, of: issuer)
        known.withLock { $0[issuer] = (metadata, .now) }
        return metadata
      }
      let isMissing = [404, 405, 410].contains(answer.status)
      failure =
        failure
        ?? AccountError(
          isMissing ? .configuration : .server,
          isMissing
            ? "\(ForeignText(issuer)) is no issuer: it says nothing of itself"
            : "the issuer \(ForeignText(issuer)) answers with status \(answer.status)",
          retryAfter: answer.retryAfter)
    }
    throw failure ?? .cancelled
  }

  /// The document with the keys with which an issuer signs (RFC 7517, 5), fetched anew.
  package func keys(of issuer: String) async throws(AccountError) -> [UInt8] {
    _ = known.withLock { $0.removeValue(forKey: issuer) }
    guard let address = try await metadata(of: issuer).keysAddress else {
      throw AccountError(
        .configuration, "the issuer \(ForeignText(issuer)) does not say where its keys are")
    }
    let answer = try await get(address.text)
    guard answer.status == 200 else {
      throw AccountError(
        .server, "the issuer \(ForeignText(issuer)) answers with status \(answer.status)",
        retryAfter: answer.retryAfter)
    }
    return answer.body
  }

  /// The issuer that signs people in to a backend (RFC 9728).
  ///
  /// - Parameter agreed: an issuer of another host that the user has named. Without it a backend that
  ///   names that of somebody else would get tokens that are worth something there.
  func issuer(of backend: String, agreed: String?) async throws(AccountError) -> String {
    var base = backend
    while base.hasSuffix("/") { base.removeLast() }
    let address = try address(base, "backend")
    let answer = try await get(base + "/.well-known/oauth-protected-resource")
    if [404, 405, 410].contains(answer.status) { return agreed ?? base }
    guard answer.status == 200 else {
      throw AccountError(
        .server, "the backend \(base) answers with status \(answer.status)",
        retryAfter: answer.retryAfter)
    }
    guard let value = try? JSONReader.read(answer.body), case .object(let object) = value,
      case .array(let list)? = object["authorization_servers"]
    else { throw AccountError(.undecodable, "what the backend \(base) says cannot be read") }
    let issuers = list.compactMap { if case .string(let text) = $0 { text } else { nil } }
    if let agreed {
      guard issuers.contains(agreed) else {
        throw AccountError(
          .configuration, "the backend \(base) does not take tokens of \(ForeignText(agreed))")
      }
      return agreed
    }
    if let own = issuers.first(where: { WebAddress($0)?.origin == address.origin }) { return own }
    let names = issuers.map { "\(ForeignText($0).limited(to: 200))" }.joined(separator: ", ")
    throw AccountError(
      .configuration, "the backend \(base) has its people signed in elsewhere: \(names)",
      remedy: "use \(.issuer) if that is to be trusted")
  }

  private func get(_ text: String) async throws(AccountError) -> HTTPAnswer {
    guard let address = WebAddress(text) else {
      throw AccountError(.configuration, "\(ForeignText(text)) is no address")
    }
    let client = try clients.client(for: address)
    do throws(HTTPError) {
      return try await client.send(
        "GET", address.text, headers: [HTTPField("Accept", "application/json")])
    } catch {
      throw AccountError(error)
    }
  }

  /// Sends a form to an endpoint.
  ///
  /// - Parameter secrets: header lines that end with a zero byte.
  func post(
    _ form: consuming FormText, to address: WebAddress, secrets: [SecretBytes] = []
  ) async throws(AccountError) -> HTTPAnswer {
    let client = try clients.client(for: address)
    do throws(HTTPError) {
      return try await client.post(form.secret, to: address.text, secrets: secrets)
    } catch {
      throw AccountError(error)
    }
  }

  /// Asks for tokens.
  func tokens(
    _ form: consuming FormText, at endpoint: WebAddress, secrets: [SecretBytes] = []
  ) async throws(AccountError) -> TokenVerdict {
    var answer = try await post(form, to: endpoint, secrets: secrets)
    return TokenVerdict(&answer)
  }

  /// Asks for the next tokens (RFC 6749, 6).
  func renew(_ credential: Credential) async throws(AccountError) -> TokenVerdict {
    guard let token = credential.refreshToken else { throw .notLoggedIn }
    let endpoint = try await metadata(of: credential.issuer).tokenEndpoint
    var form = FormText([("grant_type", "refresh_token"), ("client_id", credential.clientID)])
    form.add("refresh_token", token)
    let verdict = try await tokens(form, at: endpoint)
    // It may have moved while a program runs for years: the next time the issuer is asked where it is.
    if case .later(let status, _, _) = verdict,
      RedirectPath.isRedirect(status) || [404, 405, 410].contains(status)
    {
      _ = known.withLock { $0.removeValue(forKey: credential.issuer) }
    }
    return verdict
  }

  /// What an issuer says of somebody beside their ID token, to whoever has their access token (OpenID Connect Core 1.0,
  /// 5.3).
  ///
  /// - Returns: nil where it says nothing that can be read.
  func userinfo(
    of issuer: String, with token: SecretBytes
  ) async throws(AccountError) -> JSONObject? {
    guard let address = try await metadata(of: issuer).userinfoEndpoint else { return nil }
    let client = try clients.client(for: address)
    let answer: HTTPAnswer
    do throws(HTTPError) {
      answer = try await client.send(
        "GET", address.text, headers: [HTTPField("Accept", "application/json")],
        secrets: [token.withBytes { TokenSource.line($0) }], body: nil)
    } catch {
      throw AccountError(error)
    }
    guard answer.status < 500 else {
      throw AccountError(
        .server, "the issuer \(ForeignText(issuer)) answers with status \(answer.status)",
        retryAfter: answer.retryAfter)
    }
    guard answer.status == 200,
      let value = try? JSONReader.read(answer.body, rules: .strict(elements: 1000)),
      case .object(let object) = value
    else { return nil }
    return object
  }

  /// Has the issuer forget a sign-in (RFC 7009).
  ///
  /// - Returns: why it did not; nil when it did.
  func revoke(_ credential: Credential) async -> String? {
    do throws(AccountError) {
      guard let endpoint = try await metadata(of: credential.issuer).revocationEndpoint else {
        return "the issuer has no way to end a sign-in from here"
      }
      var form = FormText([("client_id", credential.clientID)])
      form.add("token", credential.refreshToken ?? credential.accessToken)
      let answer = try await post(form, to: endpoint)
      return answer.status == 200
        ? nil : "the issuer did not end the sign-in: it answers with status \(answer.status)"
    } catch {
      return error.diagnosis.problem
    }
  }
}
