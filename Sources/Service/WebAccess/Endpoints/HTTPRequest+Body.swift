import Diagnosis
import Gzip
package import HTTPServer
package import LunaJSON

extension HTTPRequest {
  /// Refuses a body of another form than an endpoint takes.
  package func checkBody(of endpoint: EndpointDeclaration) throws(ProblemDocument) {
    // What a file is, its bytes say.
    if !endpoint.files.isEmpty, endpoint.mediaType == nil { return }
    guard let mediaType = endpoint.mediaType else {
      guard body.isEmpty else {
        throw ProblemDocument(
          400, "unexpectedBody", "This endpoint takes no body.", detail: nil)
      }
      return
    }
    let type = (head.first("content-type") ?? "").lowercased()
    if type == mediaType || endpoint.files.contains(type) { return }
    let parts = type.split(separator: ";").map { part in
      part.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
    }
    guard let first = parts.first, first == mediaType,
      parts.dropFirst().allSatisfy({ $0 == "charset=utf-8" })
    else { throw .mediaType("the content type is not \(mediaType)") }
  }

  /// Bytes as JSON.
  ///
  /// - Parameter elements: how many an array may have.
  package static func json(
    _ bytes: [UInt8], elements: Int
  ) throws(ProblemDocument) -> JSONValue {
    do throws(JSONError) {
      return try JSONReader.read(bytes, rules: .strict(elements: elements))
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

  /// A body without its content coding.
  package func inflated(_ limits: HTTPLimits) throws(ProblemDocument) -> [UInt8] {
    switch head.first("content-encoding")?.lowercased() {
    case nil, "identity": return body
    // The same (RFC 9110, 8.4.1.3).
    case "gzip", "x-gzip":
      do throws(GzipError) {
        return try Gzip.inflate(body, limit: limits.inflatedBytes)
      } catch {
        switch error {
        case .tooLong: throw .bodyTooLarge(limits.inflatedBytes)
        case .malformed:
          throw ProblemDocument(400, "malformedGzip", "The body is not gzip.", detail: nil)
        }
      }
    default: throw .mediaType("the content encoding is neither gzip nor identity")
    }
  }
}
