import HTTPServer
import LunaJSON
import WebAccess

/// An endpoint: what it takes and answers, who may call it, and what it does.
@dynamicMemberLookup
struct Endpoint: Sendable {
  typealias Handler = @Sendable (API, APICall) async throws -> HTTPResponse
  typealias Query = EndpointDeclaration.Query

  let declaration: EndpointDeclaration
  let access: Access
  let handler: Handler

  init(
    _ method: String, _ path: String, _ operation: String, _ summary: String, access: Access,
    body: String? = nil, isKeyed: Bool = false, form: String? = nil, files: [String] = [],
    query: [Query] = [],
    limits: EndpointLimits = EndpointLimits(), elements: Int = 1000,
    replies: [EndpointDeclaration.Reply], problems: [(status: Int, when: String)] = [],
    handler: @escaping Handler
  ) {
    declaration = EndpointDeclaration(
      method, path, operation, summary, body: body, isKeyed: isKeyed, form: form, files: files,
      query: query,
      limits: limits, elements: elements, replies: replies, problems: problems)
    self.access = access
    self.handler = handler
  }

  subscript<Value>(dynamicMember member: KeyPath<EndpointDeclaration, Value>) -> Value {
    declaration[keyPath: member]
  }

  /// Whether somebody may have fewer rights after a call.
  var mayEndRights: Bool {
    let places = [
      "/v1/session", "/v1/accounts", "/v1/identities", "/v1/tokens", "/v1/me/password",
      "/oauth/revoke",
    ]
    return declaration.method != "GET" && places.contains { declaration.path.hasPrefix($0) }
  }
}
