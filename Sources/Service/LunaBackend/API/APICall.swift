import Bluetooth
import Gzip
import LunaCore
import LunaJSON

/// One call of an endpoint.
struct APICall: Sendable {
  let request: HTTPRequest
  let endpoint: Endpoint
  /// Who calls; nil for endpoints that are open.
  let caller: TokenRecord?
  /// What stands in the path for its parameter.
  let parameter: String
  let time: Timestamp
  /// When the server began to work on it.
  let began: ContinuousClock.Instant

  /// The name of the caller.
  var name: String { caller?.name ?? "" }

  /// The body as JSON.
  ///
  /// - Throws: why it cannot be read.
  func json(limits: HTTPLimits) throws(ProblemDocument) -> JSONValue {
    try json(try inflated(limits))
  }

  /// A body that was inflated as JSON.
  func json(_ bytes: [UInt8]) throws(ProblemDocument) -> JSONValue {
    do throws(JSONError) {
      return try JSONReader.read(bytes, rules: .strict(elements: endpoint.elements))
    } catch {
      switch error.kind {
      case .malformed:
        throw ProblemDocument(
          400, "malformedJSON", "The body is not JSON.", detail: error.description)
      case .duplicateName:
        throw ProblemDocument(
          400, "duplicateName", "An object of the body has a name twice.",
          detail: error.description)
      case .tooManyElements:
        throw ProblemDocument(
          400, "tooManyElements", "An array of the body is too long.", detail: error.description)
      }
    }
  }

  /// The body without its content coding.
  func inflated(_ limits: HTTPLimits) throws(ProblemDocument) -> [UInt8] {
    switch request.head.first("content-encoding")?.lowercased() {
    case nil, "identity": return request.body
    case "gzip":
      do throws(GzipError) {
        return try Gzip.inflate(request.body, limit: limits.inflatedBytes)
      } catch {
        switch error {
        case .tooLong: throw RequestCheck.tooLarge(limits.inflatedBytes)
        case .malformed:
          throw ProblemDocument(400, "malformedGzip", "The body is not gzip.", detail: nil)
        }
      }
    default: throw .mediaType("the content encoding is neither gzip nor identity")
    }
  }
}
