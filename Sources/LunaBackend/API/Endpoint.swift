import LunaCore
import LunaJSON

/// An endpoint: from this one declaration come the router and the OpenAPI document.
struct Endpoint: Sendable {
  typealias Handler = @Sendable (API, APICall) async throws -> HTTPResponse

  /// A good answer.
  struct Reply: Sendable {
    let status: Int
    let description: String
    /// The media type and the schema of the body; nil for an answer without one.
    let content: (mediaType: String, schema: JSONValue)?

    init(_ status: Int, _ description: String, json schema: String) {
      self.status = status
      self.description = description
      content = ("application/json", Schema.reference(schema))
    }

    init(_ status: Int, _ description: String, text mediaType: String? = nil) {
      self.status = status
      self.description = description
      content = mediaType.map { ($0, ["type": "string"]) }
    }
  }

  let method: String
  /// With at most one parameter, as `/v1/commands/{requestId}`, at its end.
  let path: String
  /// What counters and the document call it.
  let operation: String
  let summary: String
  let access: Access
  /// The name of the schema of the body; nil without one.
  let body: String?
  /// How many elements an array of the body may have.
  let elements: Int
  let replies: [Reply]
  /// Problems besides those that every endpoint has: status and when.
  let problems: [(status: Int, when: String)]
  let handler: Handler

  init(
    _ method: String, _ path: String, _ operation: String, _ summary: String, access: Access,
    body: String? = nil, elements: Int = 1000, replies: [Reply],
    problems: [(status: Int, when: String)] = [], handler: @escaping Handler
  ) {
    self.method = method
    self.path = path
    self.operation = operation
    self.summary = summary
    self.access = access
    self.body = body
    self.elements = elements
    self.replies = replies
    self.problems = problems
    self.handler = handler
  }

  /// The part of the path before its parameter, and whether it has one.
  var stem: (prefix: Substring, hasParameter: Bool) {
    guard let brace = path.firstIndex(of: "{") else { return (path[...], false) }
    return (path[..<brace], true)
  }

  /// What stands for the parameter in a path that fits; an empty text when there is none.
  func parameter(in path: Substring) -> String? {
    let (prefix, hasParameter) = stem
    guard hasParameter else { return path == prefix ? "" : nil }
    guard path.hasPrefix(prefix) else { return nil }
    let rest = path.dropFirst(prefix.count)
    return rest.isEmpty || rest.contains("/") ? nil : String(rest)
  }
}
