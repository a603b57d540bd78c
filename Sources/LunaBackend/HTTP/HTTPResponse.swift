import LunaCore
import LunaJSON

/// An answer.
struct HTTPResponse: Sendable {
  let status: Int
  var headers: [(name: String, value: String)]
  let body: [UInt8]
  /// The code of the problem, for logs and counters.
  var problemCode: String?
  /// Whether the log says why already.
  var isExplained = false
  /// Whether the connection is not to be used again.
  var closes = false

  init(_ status: Int, _ mediaType: String?, _ body: [UInt8]) {
    self.status = status
    headers = mediaType.map { [("Content-Type", $0)] } ?? []
    self.body = body
  }

  init(_ status: Int, json: JSONValue) {
    self.init(status, "application/json", Array(json.description.utf8))
  }

  init(_ problem: ProblemDocument, request id: String) {
    let json = problem.json(instance: "urn:luna:request:" + id)
    self.init(problem.status, ProblemDocument.mediaType, Array(json.description.utf8))
    problemCode = problem.code
    if let seconds = problem.retryAfter { headers.append(("Retry-After", String(seconds))) }
    if problem.status == 401 { headers.append(("WWW-Authenticate", "Bearer realm=\"luna\"")) }
    if problem.status == 415 {
      headers.append(("Accept", "application/json"))
      headers.append(("Accept-Encoding", "gzip, identity"))
    }
  }
}
