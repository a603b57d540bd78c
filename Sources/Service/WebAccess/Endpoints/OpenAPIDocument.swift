import LunaCore
import LunaJSON

/// The OpenAPI 3.1 document, from the declarations of the endpoints.
enum OpenAPI {
  /// The document.
  static let document = Array(json.description.utf8)

  private static let json: JSONValue = [
    "openapi": "3.1.0",
    "info": [
      "title": "Luna API", "version": "1",
      "description": "Encrypted sightings of trackers from gateways to owners, and commands back.",
    ],
    "paths": paths,
    "components": [
      "schemas": Schema.all,
      "securitySchemes": [
        "gatewayToken": ["type": "http", "scheme": "bearer"],
        "ownerToken": ["type": "http", "scheme": "bearer"],
        "adminToken": ["type": "http", "scheme": "bearer"],
      ],
    ],
  ]

  private static var paths: JSONValue {
    var paths = JSONObject()
    var order: [String] = []
    for endpoint in API.endpoints where !order.contains(endpoint.path) {
      order.append(endpoint.path)
    }
    for path in order {
      var operations = JSONObject()
      for endpoint in API.endpoints where endpoint.path == path {
        operations.append(endpoint.method.lowercased(), operation(endpoint))
      }
      paths.append(path, .object(operations))
    }
    return .object(paths)
  }

  private static func operation(_ endpoint: Endpoint) -> JSONValue {
    var object: JSONObject = [
      "operationId": .string(endpoint.operation), "summary": .string(endpoint.summary),
    ]
    switch endpoint.access {
    case .open: object.append("security", [])
    case .only(let role):
      object.append("security", [.object([role.rawValue + "Token": []])])
    }
    if let brace = endpoint.path.firstIndex(of: "{") {
      let name = endpoint.path[brace...].dropFirst().dropLast()
      object.append(
        "parameters",
        [
          [
            "name": .string(String(name)), "in": "path", "required": true,
            "schema": ["type": "string", "pattern": "^[0-9a-f]{32}$"],
          ]
        ])
    }
    if let body = endpoint.body {
      object.append(
        "requestBody",
        [
          "required": true,
          "content": ["application/json": ["schema": Schema.reference(body)]],
        ])
    }
    object.append("responses", responses(endpoint))
    return .object(object)
  }

  private static func responses(_ endpoint: Endpoint) -> JSONValue {
    var responses = JSONObject()
    for reply in endpoint.replies {
      var object: JSONObject = ["description": .string(reply.description)]
      if let (mediaType, schema) = reply.content {
        object.append("content", .object([mediaType: ["schema": schema]]))
      }
      responses.append(String(reply.status), .object(object))
    }
    for (status, when) in problems(endpoint).sorted(by: { $0.key < $1.key }) {
      var content: JSONObject = [
        ProblemDocument.mediaType: ["schema": Schema.reference("Problem")]
      ]
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
  private static func problems(_ endpoint: Endpoint) -> [Int: String] {
    var problems = [
      400: "The request is malformed.", 405: "The endpoint has no such method.",
      413: "The body is too large.", 414: "Path and query are too long.",
      417: "Only the expectation 100-continue is known.",
      431: "The headers are too large.", 500: "The server failed.",
      501: "Only the transfer coding chunked is known.",
      503: "The server is busy or cannot store anything; see Retry-After.",
      505: "Only HTTP/1.1 and HTTP/1.0 are spoken.",
    ]
    if case .only = endpoint.access {
      problems[401] = "There is no token, or it is unknown or revoked."
      problems[403] = "The token is for something else."
      problems[429] = "Too many requests; see Retry-After."
    }
    if endpoint.body != nil { problems[415] = "The form of the body is not supported." }
    // A path with a parameter may not fit any more once it is malformed.
    if endpoint.stem.hasParameter { problems[404] = "There is no such thing." }
    for (status, when) in endpoint.problems { problems[status] = when }
    return problems
  }
}
