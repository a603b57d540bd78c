public import LunaJSON

/// A batch as a backend gets it: one bad event never fails the others.
public struct ReceivedBatch: Sendable {
  /// How the gateway names it.
  public let batchId: String?
  /// What the gateway tells of itself.
  public let gateway: EventBatch.Gateway?
  /// The events in their order, each of them or what is wrong with it.
  public let elements: [Result<TrackerEvent, ExchangeError>]

  /// Reads either form of the request: an array of events, or an object that holds one.
  ///
  /// - Throws: what makes the whole request malformed.
  public init(json: JSONValue) throws(ExchangeError) {
    let events: [JSONValue]
    switch json {
    case .array(let elements):
      (batchId, gateway, events) = (nil, nil, elements)
    case .object(let object):
      let reader = ExchangeReader(object)
      batchId = try reader.string("batchId", limit: 64)
      gateway = try reader["gateway"].map { value throws(ExchangeError) in
        try ReceivedBatch.gateway(try ExchangeReader(value, "gateway"))
      }
      events = try reader.required("events", try reader.array("events"))
    default: throw ExchangeError("body", "the body is neither a list of events nor an object")
    }
    elements = events.map { event in
      do throws(ExchangeError) {
        return .success(try TrackerEvent(json: event))
      } catch {
        return .failure(error)
      }
    }
  }

  private static func gateway(
    _ reader: ExchangeReader
  ) throws(ExchangeError) -> EventBatch.Gateway {
    EventBatch.Gateway(
      version: try reader.string("version", limit: 64) ?? "",
      uptime: try reader.integer("uptime", 0...Int64.max) ?? 0,
      queueDepth: try reader.integer("queueDepth", 0...Int64.max) ?? 0)
  }
}
