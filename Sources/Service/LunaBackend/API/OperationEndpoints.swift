import HTTPServer
import LunaCore
import LunaJSON
import LunaWire
import WebAccess

/// What those who run a server look at.
enum OperationEndpoints {
  /// Above this much of what may wait, the server says that it is not ready for more.
  private static let highWater = 0.8

  private static func notReady(_ detail: String) -> ProblemDocument {
    ProblemDocument(503, "notReady", "The server is not ready.", detail: detail, retryAfter: 5)
  }

  static let declarations = [
    Endpoint(
      "GET", "/healthz", "health", "Whether the server runs.", access: .open,
      replies: [.init(200, "It does.", json: "Health")]
    ) { _, _ in HTTPResponse(200, json: ["status": "ok"]) },
    Endpoint(
      "GET", "/readyz", "readiness",
      "Whether the server can store events: its storage was just written, and its queue has room. Answers in two "
        + "seconds, whatever the storage does.",
      access: .open, replies: [.init(200, "It can.", json: "Health")]
    ) { api, call in
      let failure = await api.probe.failure {
        [storage = api.storage] () async throws(StorageError) in try await storage.health()
      }
      if let failure {
        api.outage.failed(failure, call.endpoint.operation, since: call.began)
        throw notReady("the storage cannot be written")
      }
      guard api.storage.load < highWater else { throw notReady("much waits to be written") }
      return HTTPResponse(200, json: ["status": "ok"])
    },
    Endpoint(
      "GET", "/metrics", "metrics", "Counters in the text format of Prometheus.",
      access: .only(.admin),
      replies: [.init(200, "The counters.", text: "text/plain; version=0.0.4; charset=utf-8")]
    ) { api, _ in
      let gauges = [
        (
          name: "luna_storage_queue_ratio", help: "How full the queue of the storage is, 0 to 1.",
          value: api.storage.load
        )
      ]
      let text = api.metrics.text(gauges)
      return HTTPResponse(200, "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
    },
    Endpoint(
      "GET", "/openapi.json", "description", "This description.", access: .open,
      replies: [.init(200, "An OpenAPI 3.1 document.", json: "Any")]
    ) { _, _ in HTTPResponse(200, "application/json", OpenAPI.document) },
  ]
}
