import CCurl
import Diagnosis
import EventLoop
package import LunaCrypto

/// Talks to any server over HTTP: one connection, kept, on one thread; one request after the other.
/// Redirects are not followed.
public final class HTTPClient: Sendable {
  private let exchange: HTTPExchange
  private let blocking = Blocking(name: "luna.http")

  /// A client. Nothing is sent yet; the address of the configuration is not looked at.
  ///
  /// - Throws: ``HTTPError`` of kind `library` when libcurl is missing.
  public init(_ configuration: ClientConfiguration) throws(HTTPError) {
    exchange = try HTTPExchange(configuration)
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - body: nil for none.
  ///   - limit: how long it may take, if that is less than the configuration says.
  /// - Returns: the answer, whatever its status.
  public func send(
    _ method: String, _ url: String, headers: [HTTPField] = [], body: [UInt8]? = nil,
    within limit: Duration? = nil
  ) async throws(HTTPError) -> HTTPAnswer {
    try await send(method, url, headers, secrets: [], body.map { .plain($0) }, limit)
  }

  /// Sends a form with secrets in it.
  ///
  /// - Parameter secrets: header lines that end with a zero byte.
  package func post(
    _ form: SecretBytes, to url: String, secrets: [SecretBytes] = [], within limit: Duration? = nil
  ) async throws(HTTPError) -> HTTPAnswer {
    let headers = [
      HTTPField("Content-Type", "application/x-www-form-urlencoded"),
      HTTPField("Accept", "application/json"),
    ]
    return try await send("POST", url, headers, secrets: secrets, .secret(form), limit)
  }

  /// Sends a request with secrets in its head.
  ///
  /// - Parameter secrets: header lines that end with a zero byte.
  package func send(
    _ method: String, _ url: String, headers: [HTTPField], secrets: [SecretBytes], body: [UInt8]?
  ) async throws(HTTPError) -> HTTPAnswer {
    try await send(method, url, headers, secrets: secrets, body.map { .plain($0) }, nil)
  }

  /// Hands something over, and says what came of it; what is answered beside the status does not matter. Where it is
  /// watched, it is broken off when the task is cancelled.
  ///
  /// - Parameters:
  ///   - secrets: header lines that end with a zero byte.
  ///   - watch: looks on.
  package func deliver(
    _ method: String, _ url: String, headers: [HTTPField], secrets: [SecretBytes], body: [UInt8]?,
    watch: ExchangeWatch?
  ) async -> DeliveryOutcome {
    let lines: [String]
    do throws(HTTPError) {
      lines = try HTTPClient.lines(of: method, url, headers)
    } catch {
      return .refused(error.reason)
    }
    return await withTaskCancellationHandler {
      await blocking.run { [exchange] in
        DeliveryOutcome(
          exchange.perform(
            method, url, headers: lines, secrets: secrets, body: body.map { .plain($0) },
            watch: watch))
      }
    } onCancel: {
      watch?.breakOff()
    }
  }

  private func send(
    _ method: String, _ url: String, _ headers: [HTTPField], secrets: [SecretBytes],
    _ body: HTTPExchange.Body?, _ limit: Duration?
  ) async throws(HTTPError) -> HTTPAnswer {
    let lines = try HTTPClient.lines(of: method, url, headers)
    let answer = await blocking.run { [exchange] in
      exchange.perform(method, url, headers: lines, secrets: secrets, body: body, limit: limit)
    }
    let place = HTTPClient.place(of: url)
    guard answer.outcome == ccurl_answered else { throw HTTPError(answer, from: place) }
    return HTTPAnswer(
      status: answer.status, headers: answer.headers, body: answer.body,
      retryAfter: answer.retryAfter)
  }

  private static func place(of url: String) -> String {
    String(url.prefix { $0 != "?" && $0 != "#" })
  }

  /// The header lines, when all of the request can be sent.
  private static func lines(
    of method: String, _ url: String, _ headers: [HTTPField]
  ) throws(HTTPError) -> [String] {
    guard HTTPField(method, "").isValid, headers.allSatisfy(\.isValid),
      url.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
    else {
      throw HTTPError(
        .request, "a request to \(place(of: url)) has a character that cannot be sent")
    }
    // libcurl takes a line without a value for one to leave out.
    return headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
  }
}
