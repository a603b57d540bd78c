import Bluetooth
import Diagnosis
import HTTPServer
import LunaJSON
import WebAccess

/// One call of an endpoint.
struct HomeCall: Sendable {
  let request: HTTPRequest
  let endpoint: HomeEndpoint
  private let known: HomeCaller?
  let parameters: [String: String]
  let time: Timestamp

  init(
    _ request: HTTPRequest, _ endpoint: HomeEndpoint, _ caller: HomeCaller?,
    _ parameters: [String: String], at time: Timestamp
  ) {
    self.request = request
    self.endpoint = endpoint
    known = caller
    self.parameters = parameters
    self.time = time
  }

  /// Who calls an endpoint that is not open.
  func caller() throws(ProblemDocument) -> HomeCaller {
    guard let known else { throw HomeAPI.unauthorized }
    return known
  }

  /// The parameter of the path, where it has one.
  var parameter: String { parameters.first?.value ?? "" }

  /// The first parameter of the query with a name.
  func query(_ name: String) -> String? {
    request.head.queryParameters.first { $0.name == name }?.value
  }

  /// The body as JSON.
  func json() throws(ProblemDocument) -> JSONValue {
    try HTTPRequest.json(
      try request.inflated(HTTPLimits()), elements: endpoint.declaration.elements)
  }

  /// The members of the body.
  func members() throws -> JSONMembers { try JSONMembers(try json(), name: "the body") }

  /// What the browser calls itself, as far as it can be kept; it is only ever shown.
  var agent: String {
    String(
      (request.head.first("user-agent") ?? "").unicodeScalars
        .filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(200))
  }
}
