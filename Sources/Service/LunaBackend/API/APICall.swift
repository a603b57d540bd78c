import Bluetooth
import Diagnosis
import HTTPServer
import LunaAccount
import LunaCore
import LunaJSON
import WebAccess

/// One call of an endpoint.
struct APICall: Sendable {
  let request: HTTPRequest
  let endpoint: Endpoint
  /// Who calls; nil for endpoints that are open.
  let caller: Caller?
  /// What stands in the path for its parameters.
  let parameters: [String: String]
  let time: Timestamp
  /// When the server began to work on it.
  let began: ContinuousClock.Instant

  /// The name of the caller.
  var name: String { caller?.name ?? "" }

  /// What stands in the path for its parameter, where it has one.
  var parameter: String { parameters.first?.value ?? "" }

  /// The account that calls.
  ///
  /// - Throws: 403 for everybody else.
  func account() throws(ProblemDocument) -> Caller {
    guard let caller, caller.kind == .account else {
      throw .accountNeeded
    }
    return caller
  }

  /// The members of the body.
  func members(_ api: API) throws -> JSONMembers {
    try JSONMembers(try json(limits: api.configuration.limits), name: "the body")
  }

  /// The body as JSON.
  ///
  /// - Throws: why it cannot be read.
  func json(limits: HTTPLimits) throws(ProblemDocument) -> JSONValue {
    try json(try inflated(limits))
  }

  /// A body that was inflated as JSON.
  func json(_ bytes: [UInt8]) throws(ProblemDocument) -> JSONValue {
    try HTTPRequest.json(bytes, elements: endpoint.elements)
  }

  /// The body as a form; a name that stands twice has no value, nor has one without one (RFC 6749, 3.1).
  var form: [String: String] {
    FormText.fields(of: String(decoding: request.body, as: UTF8.self)).filter { !$0.value.isEmpty }
  }

  /// What names this request when it comes again: a key of the client, or one that nobody else has.
  ///
  /// - Parameter holder: who sends it.
  func outcomeKey(_ role: String, of holder: String, body: [UInt8]) throws -> OutcomeKey {
    let given = request.head.first("idempotency-key") ?? ""
    guard given.utf8.count <= 64 else {
      throw FormatError("Idempotency-Key", "has more than 64 characters")
    }
    let key = try given.isEmpty ? RequestID().description : given
    return try OutcomeKey(role, holder: holder, key: key, body: body)
  }

  /// The body without its content coding.
  func inflated(_ limits: HTTPLimits) throws(ProblemDocument) -> [UInt8] {
    try request.inflated(limits)
  }
}
