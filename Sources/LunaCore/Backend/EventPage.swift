public import LunaJSON

/// Part of what a backend has for a query.
public struct EventPage: Hashable, Sendable {
  /// The events.
  public let events: [StoredEvent]
  /// What to ask with for the next page; nil when this is the last.
  public let cursor: String?

  /// A page.
  public init(_ events: [StoredEvent], cursor: String?) {
    self.events = events
    self.cursor = cursor
  }

  /// Reads a page.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the page")
    events = try members.array("events").map { value throws(FormatError) in
      try StoredEvent(json: value)
    }
    cursor = try members.optionalString("cursor", limit: 256)
  }

  /// The page as JSON.
  public var json: JSONValue {
    var object: JSONObject = ["events": .array(events.map(\.json))]
    if let cursor { object.append("cursor", .string(cursor)) }
    return .object(object)
  }
}
