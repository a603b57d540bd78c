public import LunaCore
public import LunaJSON

extension EventPage {
  /// Reads a page. Events that cannot be read are left out, and counted in `unreadable`.
  ///
  /// - Throws: where there is no list of events, or the cursor has more than 256 characters.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the page")
    let elements = try members.array("events")
    let events = elements.compactMap { try? StoredEvent(json: $0) }
    self.init(
      events, cursor: try members.optionalString("cursor", limit: 256),
      unreadable: elements.count - events.count)
  }

  /// The page as JSON.
  public var json: JSONValue {
    var object: JSONObject = ["events": .array(events.map(\.json))]
    if let cursor { object.append("cursor", .string(cursor)) }
    return .object(object)
  }
}
