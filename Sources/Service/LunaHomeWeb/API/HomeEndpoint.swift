import HTTPServer
import LunaJSON
import WebAccess

/// An endpoint of a home: what it takes and answers, who may call it, and what it does.
struct HomeEndpoint: Sendable {
  typealias Handler = @Sendable (HomeAPI, HomeCall) async throws -> HTTPResponse

  let declaration: EndpointDeclaration
  let access: HomeAccess
  let handler: Handler

  /// - Parameters:
  ///   - path: below `/api/v1`, or from the root with a slash.
  ///   - files: the media types of a body that is a file.
  ///   - status: that of a good answer.
  ///   - type: its media type.
  ///   - answer: the name of its schema, where it is JSON.
  init(
    _ method: String, _ path: String, _ operation: String, _ summary: String,
    _ access: HomeAccess, body: String? = nil, files: [String] = [], query: [String] = [],
    limits: EndpointLimits = EndpointLimits(),
    _ status: Int = 200, _ type: String = "application/json", answer: String = "Object",
    problems: [(status: Int, when: String)] = [], handler: @escaping Handler
  ) {
    let reply: EndpointDeclaration.Reply =
      switch type {
      case "application/json" where ![204, 303].contains(status):
        .init(status, "Done.", json: answer)
      case "application/json": .init(status, "Done.")
      default: .init(status, "Done.", text: type)
      }
    declaration = EndpointDeclaration(
      method, path.hasPrefix("/") ? path : "/api/v1/" + path, operation, summary, body: body,
      files: files, query: query.map { .init(name: $0, schema: ["type": "string"]) },
      limits: limits, replies: [reply],
      problems: problems)
    // Who may not see something does not learn whether it is there (HOME.md 10).
    if method == "GET", case .role(let role) = access, role > .guest {
      self.access = .hidden(role)
    } else {
      self.access = access
    }
    self.handler = handler
  }
}
