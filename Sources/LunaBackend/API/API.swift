import Bluetooth
import LunaCore
import LunaJSON

/// Answers requests: finds the endpoint, checks who calls, and reports what went wrong.
final class API: Sendable {
  let configuration: BackendConfiguration
  let storage: any Storage
  let metrics: Metrics
  let log: BackendLog
  let events: RateLimiter
  let heids: HeidLimiter
  let touches = GatewayTouches()
  let probe = StorageProbe()
  private let calls: RateLimiter
  private let enrolments: RateLimiter
  private let gatekeeper: Gatekeeper

  /// All endpoints.
  static let endpoints: [Endpoint] =
    [
      UploadEndpoint.declaration, ConfirmEndpoint.declaration, QueryEndpoint.declaration,
    ] + CommandEndpoints.declarations + GatewayEndpoints.declarations
    + OperationEndpoints.declarations

  init(
    _ configuration: BackendConfiguration, _ storage: any Storage, _ metrics: Metrics,
    _ log: BackendLog
  ) {
    self.configuration = configuration
    self.storage = storage
    self.metrics = metrics
    self.log = log
    events = RateLimiter(rate: configuration.eventsPerSecond, burst: 20)
    heids = HeidLimiter(limit: configuration.eventsPerHeidAndHour)
    calls = RateLimiter(rate: configuration.requestsPerSecond, burst: 4)
    // Guessing 128 random bits is hopeless; this keeps the attempts from costing anything.
    enrolments = RateLimiter(rate: 1, burst: 10)
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
    do {
      let (endpoint, parameter) = try API.endpoint(for: request.head)
      try checkBody(request, endpoint)
      let caller = try await admit(request, endpoint)
      let call = APICall(
        request: request, caller: caller, parameter: parameter, time: configuration.now())
      return try await endpoint.handler(self, call)
    } catch let problem as ProblemDocument {
      var response = HTTPResponse(problem, request: request.id)
      if problem.status == 405 {
        response.headers.append(("Allow", API.methods(of: request.head.path)))
      }
      return response
    } catch let error as FormatError {
      return HTTPResponse(.malformed(error), request: request.id)
    } catch let error as StorageError {
      log.line(
        error.kind == .limit || error.kind == .overloaded ? .info : .error, error.description,
        ["requestId": .string(request.id), "kind": .string(error.kind.rawValue)])
      return HTTPResponse(ProblemDocument(error), request: request.id)
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
    guard case .only(let role) = endpoint.access else {
      if endpoint.operation == GatewayEndpoints.enrolment,
        let seconds = enrolments.take(1, for: "")
      {
        throw ProblemDocument.tooMany(seconds)
      }
      return nil
    }
    guard let text = request.head.first("authorization"), text.count > 7,
      text.prefix(7).lowercased() == "bearer ",
      let caller = try await gatekeeper.holder(of: String(text.dropFirst(7)))
    else { throw ProblemDocument.unauthorized }
    guard caller.role == role else { throw ProblemDocument.forbidden(role) }
    // Uploads are limited by their events.
    if role != .gateway, let seconds = calls.take(1, for: role.rawValue + caller.name) {
      throw ProblemDocument.tooMany(seconds)
    }
    return caller
  }
}
