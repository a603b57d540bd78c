public import Bluetooth
import CCurl
import Diagnosis
import EventLoop
import Gzip
public import LunaCore
import LunaCrypto
package import LunaJSON
public import LunaProtocol
import LunaWire
public import SafeText
import Synchronization

/// Talks to a backend over HTTP: one connection, kept, on one thread; one request after the other.
/// Whether it is there at all is asked beside them, over a connection of its own.
public final class BackendClient: EventUploader, OwnerBackend, TelemetryUploader {
  /// Bodies from this size on are sent as gzip.
  private static let compressionThreshold = 1024

  /// Where the backend is.
  public var address: String { url.base }

  private let url: BackendURL
  private let token: TokenSource
  private let exchange: HTTPExchange
  private let pauses: [Duration]
  private let blocking = Blocking(name: "luna.client")
  /// What asks whether the backend is there.
  let look: BackendLook
  private let offset = Mutex<Duration?>(nil)
  /// The token, or its header line, that the backend has refused last.
  private let refusedCredential = Mutex<SecretBytes?>(nil)

  /// A client. Nothing is sent yet.
  ///
  /// - Throws: ``LunaCore/BackendError`` of kind `address` when the address is not to be spoken to,
  ///   `local` when libcurl is missing.
  public init(_ configuration: ClientConfiguration, token: TokenSource) throws(BackendError) {
    url = try BackendURL(configuration.url, allowsInsecure: configuration.allowsInsecure)
    self.token = token
    pauses = configuration.pauses
    var configuration = configuration
    configuration.proxy = BackendClient.proxy(configuration.proxy, to: url)
    exchange = try BackendClient.exchange(configuration)
    look = BackendLook(configuration)
  }

  /// Gets the token of a gateway for an enrolment code, once.
  ///
  /// - Returns: the name that the gateway has at the backend, and its token.
  public func enrol(code: String) async throws(BackendError)
    -> (gateway: ForeignText, token: String)
  {
    let json = try await callOnce("/v1/gateways", ["code": .string(code)], isOpen: true)
    return try read { () throws(FormatError) in
      let members = try JSONMembers(json, name: "the reply")
      return (
        ForeignText(try members.string("gateway")), try members.word("token", limit: 256)
      )
    }
  }

  /// Offers a gateway whose label somebody may have scanned.
  ///
  /// - Parameter offer: as the API says; the token itself is not in it.
  package func offer(_ offer: JSONValue) async throws(BackendError) {
    _ = try await call("POST", "/v1/gateways", offer, isOpen: true)
  }

  /// Uploads events (PROTOCOL.md, 9.3).
  ///
  /// - Returns: what became of each, and commands for trackers that they tell of.
  /// - Throws: ``BackendError``; the events are to be sent again, as those that are known do no
  ///   harm.
  public func upload(_ batch: EventBatch) async throws(BackendError) -> UploadReply {
    let json = try await call("POST", "/trackerEvent", batch.json)
    return try read { () throws(FormatError) in
      try UploadReply(json: json, count: batch.events.count)
    }
  }

  /// Tells what became of a command.
  public func confirm(_ confirmation: CommandConfirmation) async throws(BackendError) {
    _ = try await call("POST", "/remote-control-request/confirm", confirmation.json)
  }

  /// Sends telemetry.
  ///
  /// - Returns: what became of each item, in their order; nil where the backend does not say.
  public func upload(
    _ telemetry: TelemetryUpload
  ) async throws(BackendError) -> [TelemetryOutcome?] {
    let json = try await call("POST", "/v1/telemetry", telemetry.json)
    return try read { () throws(FormatError) in
      try TelemetryOutcome.read(json, count: telemetry.items.count)
    }
  }

  /// How far the backend's clock is ahead of this one, to about a second, by its last answer; nil before
  /// one, or when it does not tell.
  public var clockOffset: Duration? { offset.withLock { $0 } }

  /// Whether there is another token than the one that was refused last.
  public func hasAnotherCredential() async -> Bool {
    let present: SecretBytes?
    do throws(BackendError) {
      if case .provider(let provider) = token {
        present = try await provider.token()
      } else {
        present = try token.header()
      }
    } catch {
      return false
    }
    guard let present else { return false }
    return refusedCredential.withLock { $0 != present }
  }

  /// A page of events.
  public func events(_ query: EventQuery) async throws(BackendError) -> EventPage {
    let json = try await call("POST", "/v1/events/query", query.json)
    return try read { () throws(FormatError) in try EventPage(json: json) }
  }

  /// Has gateways deliver one of some packages.
  public func submit(
    _ packages: [ControlPackage], expiresAt: Timestamp
  ) async throws(BackendError) -> CommandStatus {
    let body: JSONValue = [
      "controlPackages": .array(packages.map(\.json)), "expiresAt": .string(expiresAt.rfc3339),
    ]
    let json = try await callOnce("/v1/commands", body)
    return try read { () throws(FormatError) in try CommandStatus(json: json) }
  }

  /// How far a command has come.
  public func status(
    of requestID: String, within limit: Duration?
  ) async throws(BackendError) -> CommandStatus {
    let json = try await call(
      "GET", "/v1/commands/" + BackendClient.escaped(requestID), nil, within: limit)
    return try read { () throws(FormatError) in try CommandStatus(json: json) }
  }

  /// The commands that are open, and those of the last seven days.
  public func commands() async throws(BackendError) -> [CommandStatus] {
    let json = try await call("GET", "/v1/commands", nil)
    return try read { () throws(FormatError) in
      try JSONMembers(json, name: "the answer").array("commands").map {
        value throws(FormatError) in try CommandStatus(json: value)
      }
    }
  }

  /// Calls a command off.
  public func cancel(
    _ requestID: String, within limit: Duration?
  ) async throws(BackendError) -> CommandStatus {
    let json = try await call(
      "DELETE", "/v1/commands/" + BackendClient.escaped(requestID), nil, within: limit)
    return try read { () throws(FormatError) in try CommandStatus(json: json) }
  }

  /// Asks whether the server runs, without a token and without waiting for other requests.
  ///
  /// - Returns: the time there, seconds since 1970; nil when it does not tell.
  func date(within limit: Duration? = nil) async throws(BackendError) -> Int64? {
    let answer = try await look.perform(url.base + "/healthz", within: limit)
    guard answer.outcome == ccurl_answered else { throw BackendError(answer, from: url.base) }
    guard (200..<300).contains(answer.status) else {
      throw BackendError(refusal: answer, from: url.base)
    }
    return answer.date
  }

  /// A connection, not made yet.
  static func exchange(
    _ configuration: ClientConfiguration
  ) throws(BackendError) -> HTTPExchange {
    do throws(HTTPError) {
      return try HTTPExchange(configuration)
    } catch {
      throw BackendError(.library, error.reason, remedy: error.remedy)
    }
  }

  /// What is said of a proxy, with what the environment says left out where the token would leave
  /// the machine by it.
  static func proxy(_ wanted: String, to url: BackendURL) -> String {
    wanted.isEmpty && url.isLoopback && !url.isEncrypted ? "-" : wanted
  }

  /// A part of a path; everything that could end it is left out.
  private static func escaped(_ text: String) -> String {
    text.filter { JSONMembers.isWord(String($0)) }
  }

  private func read<Value>(
    _ body: () throws(FormatError) -> Value
  ) throws(BackendError) -> Value {
    do throws(FormatError) {
      return try body()
    } catch {
      throw BackendError(
        .answer, "the answer of the backend \(url.base) is not what the API says: \(error)")
    }
  }

  /// Sends a request that is to be done once, whatever becomes of its answer: with a key that it has again when
  /// it is repeated (`Idempotency-Key`).
  private func callOnce(
    _ path: String, _ body: JSONValue, isOpen: Bool = false
  ) async throws(BackendError) -> JSONValue {
    let key = try BackendClient.newKey()
    for pause in pauses {
      let failure: BackendError
      do throws(BackendError) {
        return try await call("POST", path, body, key: key, isOpen: isOpen)
      } catch {
        failure = error
      }
      // Only of these nobody knows whether it was done.
      guard failure.kind == .interrupted || failure.status == 503,
        (try? await Task.sleep(for: pause)) != nil
      else { throw failure }
    }
    return try await call("POST", path, body, key: key, isOpen: isOpen)
  }

  private static func newKey() throws(BackendError) -> String {
    do throws(CryptoError) {
      let random: InlineArray<16, UInt8> = try SecureRandom.bytes()
      return Hex.lower(random.span)
    } catch {
      throw BackendError(.local, error.description)
    }
  }

  /// Sends a request of any endpoint.
  ///
  /// - Parameters:
  ///   - path: with its query, escaped.
  ///   - file: a body that is no JSON; what it is, its bytes say.
  ///   - key: what the request is called when it comes again.
  package func call(
    _ method: String, _ path: String, _ body: JSONValue?, file: [UInt8]? = nil,
    key: String? = nil, isOpen: Bool = false, within limit: Duration? = nil
  ) async throws(BackendError) -> JSONValue {
    var headers = ["Accept: application/json, \(ProblemDocument.mediaType)"]
    if let key { headers.append("Idempotency-Key: \(key)") }
    var bytes = file ?? body.map { Array($0.description.utf8) }
    if file != nil {
      headers.append("Content-Type: application/octet-stream")
    } else if let plain = bytes {
      headers.append("Content-Type: application/json")
      if plain.count >= BackendClient.compressionThreshold, let small = Gzip.deflate(plain) {
        headers.append("Content-Encoding: gzip")
        bytes = small
      }
    }
    let (exchange, target) = (exchange, url.base + path)
    func ask(_ authorization: SecretBytes?) async -> HTTPExchange.Answer {
      await blocking.run { [headers, bytes] in
        exchange.perform(
          method, target, headers: headers, secrets: authorization.map { [$0] } ?? [],
          body: bytes.map { .plain($0) }, limit: limit)
      }
    }
    let answer: HTTPExchange.Answer
    var credential: SecretBytes?
    var isSignedIn = false
    if case .provider(let provider) = token, !isOpen {
      isSignedIn = true
      func line(_ token: SecretBytes) -> SecretBytes { token.withBytes { TokenSource.line($0) } }
      let first = try await provider.token()
      credential = first
      let refused = await ask(line(first))
      if refused.status == 401, await provider.renew(after: first) {
        let second = try await provider.token()
        credential = second
        answer = await ask(line(second))
      } else {
        answer = refused
      }
    } else {
      credential = isOpen ? nil : try token.header()
      answer = await ask(credential)
    }
    guard answer.outcome == ccurl_answered else {
      throw BackendError(answer, from: url.base)
    }
    if let date = answer.date {
      // The second in which it was written: in the mean half of it has passed.
      let now = WallClock.system.now().microseconds
      offset.withLock { $0 = .microseconds(date * 1_000_000 + 500_000 - now) }
    }
    guard (200..<300).contains(answer.status) else {
      if let credential, [401, 403].contains(answer.status) {
        refusedCredential.withLock { $0 = credential }
      }
      throw BackendError(refusal: answer, from: url.base, isSignedIn: isSignedIn)
    }
    if answer.status == 204 { return .null }
    do throws(JSONError) {
      return try JSONReader.read(answer.body)
    } catch {
      throw BackendError(
        .answer, "the answer of the backend \(url.base) is not JSON: \(error)",
        status: answer.status)
    }
  }
}
