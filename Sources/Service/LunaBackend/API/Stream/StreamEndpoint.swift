import HTTPServer
import LunaFleet
import LunaJSON
import WebAccess

/// `GET /v1/stream`: what changes, as it happens (server-sent events).
enum StreamEndpoint {
  private static let watchLimit = 200
  /// Of one session; a browser needs one for all its tabs.
  private static let sessionLimit = 3

  static let declaration = Endpoint(
    "GET", "/v1/stream", "streamChanges",
    "Hear of changes as they happen (server-sent events). `topics` are "
      + StreamTopic.allCases.map(\.rawValue).joined(separator: ", ")
      + ", all of them by default; `watch` are the gateways whose numbers come as `health`. Whoever was cut "
      + "off goes on after `Last-Event-ID`, or `since`; where that cannot be, a `reset` says so.",
    access: .role(.viewer),
    query: [
      .init(name: "topics", schema: ["type": "string"]),
      .init(name: "watch", schema: ["type": "string"]),
      .init(name: "since", schema: ["type": "string"]),
    ],
    // 200 ids that are watched fit.
    limits: EndpointLimits(targetLength: 4096),
    replies: [
      .init(200, "Events until one's rights end, or the stream breaks off.", text: mediaType)
    ],
    problems: [(429, "Too many requests, or streams of this session; see Retry-After.")]
  ) { api, call in try await answer(api, call) }

  private static let mediaType = "text/event-stream"

  private static func answer(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let (topics, watched) = (try topics(call), try watched(call))
    let last = try call.request.lastEventID ?? call.query("since")
    let session = call.caller?.session?.id
    let (streams, key) = (api.streams, api.streams.newKey())
    let (request, caller) = (call.request, call.caller)
    let events = EventStream(
      farewell: FleetStreams.reset(nil),
      mayGoOn: {
        if await api.isStill(caller, request) { return true }
        streams.end(key)
        return false
      }, onEnd: { streams.remove(key) })
    let listener = StreamListener(
      events: events, topics: topics, watched: watched, session: session)
    // What is no number is one that never was.
    let position = last.map { Int64($0) ?? -1 }
    guard try await streams.add(listener, key: key, after: position, limit: sessionLimit) else {
      throw ProblemDocument(
        429, "tooManyStreams", "There are too many streams.",
        detail: "a session has \(sessionLimit) at most", retryAfter: 10)
    }
    return HTTPResponse(events: events)
  }

  private static func topics(_ call: APICall) throws(ProblemDocument) -> Set<StreamTopic> {
    let names = try call.query("topics")?.split(separator: ",") ?? []
    guard !names.isEmpty else { return Set(StreamTopic.allCases) }
    var topics: Set<StreamTopic> = []
    for name in names {
      guard let topic = StreamTopic(rawValue: String(name)) else {
        throw malformed(
          "topics are \(StreamTopic.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      topics.insert(topic)
    }
    return topics
  }

  private static func watched(_ call: APICall) throws(ProblemDocument) -> Set<String> {
    let ids = try call.query("watch")?.split(separator: ",").map { String($0) } ?? []
    let isGood = ids.allSatisfy { id in
      id.utf8.count == 16 && id.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
    guard isGood, ids.count <= watchLimit else {
      throw malformed("watch has \(watchLimit) ids of gateways at most")
    }
    return Set(ids)
  }

  private static func malformed(_ detail: String) -> ProblemDocument {
    ProblemDocument(400, "query", "The query is malformed.", detail: detail)
  }
}
