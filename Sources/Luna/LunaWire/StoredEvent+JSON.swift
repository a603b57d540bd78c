import Bluetooth
public import LunaCore
public import LunaJSON

extension StoredEvent {
  /// Reads an event, and when the backend got it.
  ///
  /// - Throws: where a member is missing or cannot be.
  public init(json: JSONValue) throws(FormatError) {
    self.init(
      try TrackerEvent(json: json),
      receivedAt: try JSONMembers(json, name: "the event").time("receivedAt"))
  }

  /// The event as JSON.
  public var json: JSONValue {
    var object = event.members
    object.append("receivedAt", .string(receivedAt.rfc3339))
    return .object(object)
  }
}
