package import HTTPServer
package import LunaJSON

/// What an endpoint takes and answers: from this one declaration come the router and the OpenAPI document.
package struct EndpointDeclaration: Sendable {
  /// A good answer.
  package struct Reply: Sendable {
    /// Its status.
    package let status: Int
    /// When it is given.
    package let description: String
    /// The media type and the schema of the body; nil for an answer without one.
    package let content: (mediaType: String, schema: JSONValue)?
    /// Other media types that a file may have.
    package var otherTypes: [String] = []

    /// An answer in JSON.
    package init(_ status: Int, _ description: String, json schema: String) {
      self.status = status
      self.description = description
      content = ("application/json", OpenAPIDocument.reference(schema))
    }

    /// An answer that is a file of one of some media types.
    package init(_ status: Int, _ description: String, files mediaTypes: [String]) {
      self.status = status
      self.description = description
      content = mediaTypes.first.map { ($0, ["type": "string"]) }
      otherTypes = Array(mediaTypes.dropFirst())
    }

    /// An answer in text or in JSON of some kind (`application/geo+json`), or without a body.
    package init(_ status: Int, _ description: String, text mediaType: String? = nil) {
      self.status = status
      self.description = description
      content = mediaType.map { ($0, ["type": $0.hasSuffix("+json") ? "object" : "string"]) }
    }
  }

  /// A parameter that may stand in a query.
  package struct Query: Sendable {
    /// What it is called.
    package let name: String
    /// What it may be.
    package let schema: JSONValue

    /// A parameter.
    package init(name: String, schema: JSONValue) {
      self.name = name
      self.schema = schema
    }
  }

  /// The method.
  package let method: String
  /// With parameters, as `/v1/commands/{requestId}`.
  package let path: String
  /// What counters and the document call it.
  package let operation: String
  /// What it is for.
  package let summary: String
  /// The name of the schema of the body; nil without one.
  package let body: String?
  /// Whether a client may name a request (`Idempotency-Key`), so that it is done once however often it comes.
  package let isKeyed: Bool
  /// The name of the schema of a body that is a form instead (`application/x-www-form-urlencoded`), as the
  /// endpoints of OAuth take it; they refuse with errors of OAuth, too.
  package let form: String?
  /// What it takes at most, where that is not what the server does.
  package let limits: EndpointLimits
  /// The media types of a body that is a file; none for one in JSON.
  package let files: [String]
  /// The parameters that may stand in a query.
  package let query: [Query]
  /// How many elements an array of the body may have.
  package let elements: Int
  /// Good answers.
  package let replies: [Reply]
  /// Problems besides those that every endpoint has: status and when.
  package let problems: [(status: Int, when: String)]

  /// A declaration.
  package init(
    _ method: String, _ path: String, _ operation: String, _ summary: String, body: String? = nil,
    isKeyed: Bool = false, form: String? = nil, files: [String] = [], query: [Query] = [],
    limits: EndpointLimits = EndpointLimits(),
    elements: Int = 1000, replies: [Reply], problems: [(status: Int, when: String)] = []
  ) {
    self.method = method
    self.path = path
    self.operation = operation
    self.summary = summary
    self.body = body
    self.isKeyed = isKeyed
    self.form = form
    self.limits = limits
    self.files = files
    self.query = query
    self.elements = elements
    self.replies = replies
    self.problems = problems
  }

  /// What a body has to be; nil without one, and for a file.
  package var mediaType: String? {
    form != nil ? "application/x-www-form-urlencoded" : body.map { _ in "application/json" }
  }

  /// The names of the parameters in its path, in their order.
  package var parameterNames: [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
      String($0.dropFirst().dropLast())
    }
  }
}
