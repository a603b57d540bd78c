public import Bluetooth
public import LunaJSON

/// A page of what a backend has for an owner's query.
public struct EventPage: Hashable, Sendable {
  /// An event as it was uploaded, and when.
  public struct Stored: Hashable, Sendable {
    /// The event.
    public let event: TrackerEvent
    /// When the backend got it.
    public let receivedAt: Timestamp

    /// A stored event.
    public init(event: TrackerEvent, receivedAt: Timestamp) {
      self.event = event
      self.receivedAt = receivedAt
    }

    /// The members of the event, and `receivedAt`.
    public var json: JSONObject {
      var object = event.json
      object.append("receivedAt", .string(receivedAt.rfc3339))
      return object
    }
  }

  /// The events, each of them or why it cannot be read.
  public var elements: [Result<Stored, ExchangeError>]
  /// Where the next page begins; nil at the end.
  public var cursor: String?

  /// A page.
  public init(events: [Stored], cursor: String? = nil) {
    elements = events.map { .success($0) }
    self.cursor = cursor
  }

  /// Reads a page; an element that makes no sense stays among the others as an error.
  public init(json: JSONValue) throws(ExchangeError) {
    let reader = try ExchangeReader(json, "page")
    cursor = try reader.string("cursor", limit: 512)
    elements = try reader.required("events", try reader.array("events")).map { value in
      do throws(ExchangeError) {
        let event = try TrackerEvent(json: value)
        let members = try ExchangeReader(value, "event")
        let time = try members.required("receivedAt", try members.time("receivedAt"))
        return .success(Stored(event: event, receivedAt: time))
      } catch {
        return .failure(error)
      }
    }
  }

  /// The members.
  public var json: JSONObject {
    var events: [JSONValue] = []
    for case .success(let stored) in elements { events.append(.object(stored.json)) }
    var object: JSONObject = ["events": .array(events)]
    if let cursor { object.append("cursor", .string(cursor)) }
    return object
  }
}
