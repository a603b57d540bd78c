public import Bluetooth
import CCurl
import Dispatch
import Gzip
public import LunaCore
import LunaCrypto
import LunaJSON
public import LunaProtocol
public import SafeText

/// Talks to a backend over HTTP: one connection, kept, on one thread; one request after the other.
public final class BackendClient: EventUploader, OwnerBackend {
  /// Bodies from this size on are sent as gzip.
  private static let compressionThreshold = 1024

  /// Where the backend is.
  public var address: String { url.base }

  private let url: BackendURL
  private let token: TokenSource
  private let exchange: HTTPExchange
  private let queue = DispatchQueue(label: "luna.client")

  /// A client. Nothing is sent yet.
  ///
  /// - Throws: ``BackendError`` of kind `address` when the address is not to be spoken to, `local`
  ///   when libcurl is missing.
  public init(_ configuration: ClientConfiguration, token: TokenSource) throws(BackendError) {
    url = try BackendURL(configuration.url, allowsInsecure: configuration.allowsInsecure)
    self.token = token
    if let problem = ccurl_load() {
      throw BackendError(
        .local, "the HTTP library is missing: \(String(cString: problem))",
        hint: "apt-get install libcurl4")
    }
    var configuration = configuration
    configuration.proxy = BackendClient.proxy(configuration.proxy, to: url)
    guard let exchange = HTTPExchange(configuration) else {
      throw BackendError(.local, "the HTTP library cannot be used")
    }
    self.exchange = exchange
  }

  // MARK: Gateways

  /// Gets the token of a gateway for an enrolment code, once.
  ///
  /// - Returns: the name that the gateway has at the backend, and its token.
  public func enrol(code: String) async throws(BackendError)
    -> (gateway: ForeignText, token: String)
  {
    let json = try await call("POST", "/v1/gateways", ["code": .string(code)], isOpen: true)
    return try read { () throws(FormatError) in
      let members = try JSONMembers(json, name: "the reply")
      return (
        ForeignText(try members.string("gateway")), try members.word("token", limit: 256)
      )
    }
  }

  /// Uploads events.
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

  // MARK: Owners

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
    let json = try await call("POST", "/v1/commands", body)
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

  /// Takes a command back.
  public func cancel(_ requestID: String) async throws(BackendError) {
    _ = try await call("DELETE", "/v1/commands/" + BackendClient.escaped(requestID), nil)
  }

  // MARK: Requests

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

  private func call(
    _ method: String, _ path: String, _ body: JSONValue?, isOpen: Bool = false,
    within limit: Duration? = nil
  ) async throws(BackendError) -> JSONValue {
    var headers = ["Accept: application/json, \(ProblemDocument.mediaType)"]
    var bytes = body.map { Array($0.description.utf8) }
    if let plain = bytes {
      headers.append("Content-Type: application/json")
      if plain.count >= BackendClient.compressionThreshold, let small = Gzip.deflate(plain) {
        headers.append("Content-Encoding: gzip")
        bytes = small
      }
    }
    let authorization = isOpen ? nil : try token.header()
    let (exchange, target) = (exchange, url.base + path)
    let answer = await withCheckedContinuation { continuation in
      queue.async { [headers, bytes] in
        continuation.resume(
          returning: exchange.perform(
            method, target, headers: headers, authorization: authorization, body: bytes,
            limit: limit))
      }
    }
    guard answer.outcome == ccurl_answered else {
      throw BackendError(answer, from: url.base)
    }
    guard (200..<300).contains(answer.status) else {
      throw BackendError(refusal: answer, from: url.base)
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
