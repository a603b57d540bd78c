public import LunaJSON

/// What a handler answers: a body, a stream of events, or another protocol after the head.
public struct HTTPResponse: Sendable {
  /// The status code (RFC 9110, 15), 200 to 599; 101 with an upgrade.
  public let status: Int
  /// The header fields, besides those that every answer has.
  public var headers: [(name: String, value: String)]
  /// The body; empty for a stream.
  public let body: [UInt8]
  /// The code of the problem, for logs and counters.
  public var problemCode: String?
  /// Whether the log says why already.
  public var isExplained = false
  /// Whether the connection is not to be used again.
  public var closes = false
  /// Whether the connection is kept for a next request also where there are more than are kept.
  package var staysOpen = false
  /// What follows the head for as long as it goes on.
  let events: EventStream?
  /// What is spoken after the head.
  let upgrade: HTTPUpgrade?
  /// What makes the body, where that is not there as a whole.
  let source: BodySource?

  /// An answer with a body.
  public init(_ status: Int, _ mediaType: String?, _ body: [UInt8]) {
    self.status = status
    headers = mediaType.map { [("Content-Type", $0)] } ?? []
    self.body = body
    events = nil
    upgrade = nil
    source = nil
  }

  /// An answer in JSON.
  public init(_ status: Int, json: JSONValue) {
    self.init(status, "application/json", json.bytes)
  }

  /// Why a request was refused.
  ///
  /// - Parameter id: that of the request.
  public init(_ problem: ProblemDocument, request id: String) {
    let json = problem.json(instance: ProblemDocument.instancePrefix + id)
    self.init(problem.status, ProblemDocument.mediaType, json.bytes)
    problemCode = problem.code
    if let seconds = problem.retryAfter { headers.append(("Retry-After", String(seconds))) }
  }

  /// Server-sent events, from now until the stream is closed or the client goes away.
  ///
  /// - Parameter events: a stream of its own for each answer.
  public init(events: EventStream) {
    status = 200
    // The second one is for nginx, which would otherwise collect what it passes on.
    headers = [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]
    body = []
    self.events = events
    upgrade = nil
    source = nil
  }

  /// The change to another protocol. A client that has not offered it is told which one is needed.
  ///
  /// - Parameter headers: what that protocol has to say besides its name.
  package init(upgrade: HTTPUpgrade, headers: [(name: String, value: String)] = []) {
    status = 101
    self.headers = headers
    self.headers.append(("Upgrade", upgrade.name))
    body = []
    events = nil
    self.upgrade = upgrade
    source = nil
  }

  /// An answer whose body is made while it is sent.
  package init(_ status: Int, _ mediaType: String, source: BodySource) {
    self.status = status
    headers = [("Content-Type", mediaType)]
    body = []
    events = nil
    upgrade = nil
    self.source = source
  }
}
