package import LunaJSON

/// An OpenAPI 3.1 document, from the declarations of endpoints.
package enum OpenAPIDocument {
  /// Who may call an endpoint, as the document says it.
  package struct AccessDescription: Sendable {
    /// Members of the operation, such as `security`.
    package let security: JSONObject
    /// What such an endpoint may refuse.
    package let problems: [Int: String]

    /// A description.
    package init(security: JSONObject, problems: [Int: String]) {
      self.security = security
      self.problems = problems
    }
  }

  /// A reference to a schema.
  package static func reference(_ name: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  /// A document.
  ///
  /// - Parameters:
  ///   - info: title, version, description.
  ///   - endpoints: in their order, with who may call them.
  ///   - components: schemas and ways to say who calls.
  ///   - pattern: what a parameter of a path looks like.
  package static func make(
    info: JSONValue, endpoints: [(EndpointDeclaration, AccessDescription)], components: JSONValue,
    pattern: (String) -> String
  ) -> JSONValue {
    var paths = JSONObject()
    var order: [String] = []
    for (endpoint, _) in endpoints where !order.contains(endpoint.path) {
      order.append(endpoint.path)
    }
    for path in order {
      var operations = JSONObject()
      for (endpoint, access) in endpoints where endpoint.path == path {
        operations.append(endpoint.method.lowercased(), operation(endpoint, access, pattern))
      }
      paths.append(path, .object(operations))
    }
    return [
      "openapi": "3.1.0", "info": info, "paths": .object(paths), "components": components,
    ]
  }

  private static func operation(
    _ endpoint: EndpointDeclaration, _ access: AccessDescription, _ pattern: (String) -> String
  ) -> JSONValue {
    var object: JSONObject = [
      "operationId": .string(endpoint.operation), "summary": .string(endpoint.summary),
    ]
    object.members += access.security.members
    var parameters =
      endpoint.parameterNames.map { name -> JSONValue in
        [
          "name": .string(name), "in": "path", "required": true,
          "schema": ["type": "string", "pattern": .string(pattern(name))],
        ]
      }
      + endpoint.query.map { query -> JSONValue in
        ["name": .string(query.name), "in": "query", "schema": query.schema]
      }
    if endpoint.isKeyed {
      parameters.append([
        "name": "Idempotency-Key", "in": "header", "schema": ["type": "string", "maxLength": 64],
        "description": "Names the request for ten minutes; the same one again is not done again.",
      ])
    }
    if endpoint.problems.contains(where: { $0.status == 412 }) {
      parameters.append([
        "name": "If-Match", "in": "header", "schema": ["type": "string"],
        "description": "The ETag that was read; what has another one by now is left alone.",
      ])
    }
    if !parameters.isEmpty { object.append("parameters", .array(parameters)) }
    var content = JSONObject()
    if let mediaType = endpoint.mediaType, let body = endpoint.form ?? endpoint.body {
      content.append(mediaType, ["schema": reference(body)])
    }
    for type in endpoint.files { content.append(type, ["schema": ["type": "string"]]) }
    if !content.members.isEmpty {
      object.append("requestBody", ["required": true, "content": .object(content)])
    }
    object.append("responses", responses(endpoint, access))
    return .object(object)
  }

  private static func responses(
    _ endpoint: EndpointDeclaration, _ access: AccessDescription
  ) -> JSONValue {
    var responses = JSONObject()
    for reply in endpoint.replies {
      var object: JSONObject = ["description": .string(reply.description)]
      if let (mediaType, schema) = reply.content {
        var content: JSONObject = [mediaType: ["schema": schema]]
        for type in reply.otherTypes { content.append(type, ["schema": schema]) }
        object.append("content", .object(content))
      }
      responses.append(String(reply.status), .object(object))
    }
    for (status, when) in problems(endpoint, access).sorted(by: { $0.key < $1.key }) {
      var content: JSONObject = [
        ProblemDocument.mediaType: ["schema": reference("Problem")]
      ]
      if status == 400 || status == 401, endpoint.form != nil {
        content.append("application/json", ["schema": reference("OAuthError")])
      }
      var when = when
      if ofLibrary.contains(status) {
        when += " Of bytes that are hardly HTTP the HTTP library says so itself, in HTML without a "
        when += "content type."
        content.append("text/html", ["schema": ["type": "string"]])
      }
      responses.append(
        String(status), ["description": .string(when), "content": .object(content)])
    }
    return .object(responses)
  }

  /// What the HTTP library answers itself: request lines, header lines and chunk sizes that it cannot
  /// read, versions other than 1, heads that are larger than its memory, and chunks beyond 64 bits.
  private static let ofLibrary: Set = [400, 413, 414, 431, 505]

  /// What every endpoint may answer, and what this one says.
  private static func problems(
    _ endpoint: EndpointDeclaration, _ access: AccessDescription
  ) -> [Int: String] {
    var problems = [
      400: "The request is malformed.", 405: "The endpoint has no such method.",
      413: "The body is too large.", 414: "Path and query are too long.",
      417: "Only the expectation 100-continue is known.",
      431: "The headers are too large.", 500: "The server failed.",
      501: "Only the transfer coding chunked is known.",
      503: "The server is busy or cannot store anything; see Retry-After.",
      505: "Only HTTP/1.1 and HTTP/1.0 are spoken.",
    ]
    for (status, when) in access.problems { problems[status] = when }
    if endpoint.mediaType != nil || !endpoint.files.isEmpty {
      problems[415] = "The form of the body is not supported."
    }
    // A path with a parameter may not fit any more once it is malformed.
    if !endpoint.parameterNames.isEmpty { problems[404] = "There is no such thing." }
    for (status, when) in endpoint.problems { problems[status] = when }
    return problems
  }
}
