public import LunaJSON

/// Events on their way to a backend in one request (`POST /trackerEvent`).
public struct EventBatch: Hashable, Sendable {
  /// The most events that a backend takes at once.
  public static let limit = 1000

  /// What a gateway tells of itself with each batch.
  public struct Gateway: Hashable, Sendable {
    /// The version of the program.
    public var version: String
    /// How long it has been running, s.
    public var uptime: Int64
    /// How many events are waiting, those of the batch included.
    public var queueDepth: Int64

    /// A state of a gateway.
    public init(version: String, uptime: Int64, queueDepth: Int64) {
      self.version = version
      self.uptime = uptime
      self.queueDepth = queueDepth
    }
  }

  /// Names the batch in the logs of both sides; no part of the identity of its events.
  public var batchId: String?
  /// Who sends it.
  public var gateway: Gateway?
  /// The events.
  public var events: [TrackerEvent]

  /// A batch.
  public init(events: [TrackerEvent], batchId: String? = nil, gateway: Gateway? = nil) {
    self.events = events
    self.batchId = batchId
    self.gateway = gateway
  }

  /// The object form of the request.
  public var json: JSONObject {
    var object = JSONObject()
    if let batchId { object.append("batchId", .string(batchId)) }
    if let gateway {
      object.append(
        "gateway",
        .object([
          "version": .string(gateway.version), "uptime": .integer(gateway.uptime),
          "queueDepth": .integer(gateway.queueDepth),
        ]))
    }
    object.append("events", .array(events.map { .object($0.json) }))
    return object
  }
}
