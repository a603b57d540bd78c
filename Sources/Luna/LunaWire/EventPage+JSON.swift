public import LunaJSON

/// Part of what a backend has for a query.
public struct EventPage: Hashable, Sendable {
  /// The events.
  public let events: [StoredEvent]
  /// How many elements make no sense; they are left out, not the page.
  public let unreadable: Int
  /// What to ask with for the next page; nil when this is the last.
  public let cursor: String?

  /// A page.
  public init(_ events: [StoredEvent], cursor: String?) {
    self.events = events
    self.cursor = cursor
    unreadable = 0
  }

  /// Reads a page.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the page")
    let elements = try members.array("events")
    events = elements.compactMap { try? StoredEvent(json: $0) }
    unreadable = elements.count - events.count
    cursor = try members.optionalString("cursor", limit: 256)
  }

  /// The page as JSON.
  public var json: JSONValue {
    var object: JSONObject = ["events": .array(events.map(\.json))]
    if let cursor { object.append("cursor", .string(cursor)) }
    return .object(object)
  }
}
