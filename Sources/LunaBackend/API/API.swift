import Bluetooth
import LunaCore
import LunaJSON

/// Answers requests: finds the endpoint, checks who calls, and reports what went wrong.
final class API: Sendable {
  let configuration: BackendConfiguration
  let storage: any Storage
  let metrics: Metrics
  let log: BackendLog
  let events: RateLimiter<String>
  let heids: HeidLimiter
  let touches = GatewayTouches()
  let probe = StorageProbe()
  let outage: StorageOutage
  /// Wrong codes by client. Guessing 128 random bits is hopeless; this keeps attempts from costing
  /// much.
  let wrongCodes: RateLimiter<ClientAddress>
  private let calls: RateLimiter<String>
  private let gatekeeper: Gatekeeper

  /// All endpoints.
  static let endpoints: [Endpoint] =
    [
      UploadEndpoint.declaration, ConfirmEndpoint.declaration, QueryEndpoint.declaration,
    ] + CommandEndpoints.declarations + GatewayEndpoints.declarations
    + OperationEndpoints.declarations

  init(
    _ configuration: BackendConfiguration, _ storage: any Storage, _ metrics: Metrics,
    _ log: BackendLog, _ outage: StorageOutage
  ) {
    self.configuration = configuration
    self.storage = storage
    self.metrics = metrics
    self.log = log
    self.outage = outage
    events = RateLimiter(rate: configuration.eventsPerSecond, burst: 20)
    heids = HeidLimiter(limit: configuration.eventsPerHeidAndHour)
    calls = RateLimiter(rate: configuration.requestsPerSecond, burst: 4)
    wrongCodes = RateLimiter(rate: 1, burst: 10)
    gatekeeper = Gatekeeper(storage: storage)
  }

  /// The endpoint that a head asks for.
  ///
  /// - Throws: 404, or 405 when the path is there for other methods.
  static func endpoint(for head: HTTPHead) throws(ProblemDocument) -> (Endpoint, String) {
    var isPath = false
    for endpoint in endpoints {
      guard let parameter = endpoint.parameter(in: head.path) else { continue }
      if endpoint.method == head.method { return (endpoint, parameter) }
      isPath = true
    }
    throw isPath
      ? ProblemDocument(405, "method", "The endpoint has no such method.")
      : .notFound("no endpoint has this path")
  }

  /// The methods of a path, for the header Allow.
  private static func methods(of path: Substring) -> String {
    endpoints.filter { $0.parameter(in: path) != nil }.map(\.method).joined(separator: ", ")
  }

  /// Answers a request.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let began = ContinuousClock.now
    var operation = ""
    do {
      let (endpoint, parameter) = try API.endpoint(for: request.head)
      operation = endpoint.operation
      try checkBody(request, endpoint)
      let caller = try await admit(request, endpoint)
      let call = APICall(
        request: request, endpoint: endpoint, caller: caller, parameter: parameter,
        time: configuration.now(), began: began)
      let response = try await endpoint.handler(self, call)
      outage.worked(operation)
      return response
    } catch let problem as ProblemDocument {
      var response = HTTPResponse(problem, request: request.id)
      if problem.status == 405 {
        response.headers.append(("Allow", API.methods(of: request.head.path)))
      }
      return response
    } catch let error as FormatError {
      return HTTPResponse(.malformed(error), request: request.id)
    } catch let error as StorageError {
      var response = HTTPResponse(ProblemDocument(error), request: request.id)
      if error.kind == .limit {
        log.line(.info, error.description, ["requestId": .string(request.id)])
      } else {
        outage.failed(error, operation, since: began)
        response.isExplained = true
      }
      return response
    } catch {
      log.line(.error, "\(error)", ["requestId": .string(request.id)])
      return HTTPResponse(
        ProblemDocument(500, "internal", "The server failed."), request: request.id)
    }
  }

  private func checkBody(
    _ request: HTTPRequest, _ endpoint: Endpoint
  ) throws(ProblemDocument) {
    guard endpoint.body != nil else {
      guard request.body.isEmpty else {
        throw ProblemDocument(
          400, "unexpectedBody", "This endpoint takes no body.", detail: nil)
      }
      return
    }
    let type = (request.head.first("content-type") ?? "").lowercased()
    let parts = type.split(separator: ";").map { part in
      part.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
    }
    guard parts.first == "application/json",
      parts.dropFirst().allSatisfy({ $0 == "charset=utf-8" })
    else { throw .mediaType("the content type is not application/json") }
  }

  /// Who calls.
  private func admit(_ request: HTTPRequest, _ endpoint: Endpoint) async throws -> TokenRecord? {
    guard case .only(let role) = endpoint.access else { return nil }
    guard let text = request.head.first("authorization"), text.count > 7,
      text.prefix(7).lowercased() == "bearer ",
      let caller = try await gatekeeper.holder(of: String(text.dropFirst(7)))
    else { throw ProblemDocument.unauthorized }
    guard caller.role == role else { throw ProblemDocument.forbidden(role) }
    // Uploads are limited by their events.
    if endpoint.operation != UploadEndpoint.operation,
      let seconds = calls.take(1, for: role.rawValue + caller.name)
    {
      throw ProblemDocument.tooMany(seconds)
    }
    return caller
  }
}
