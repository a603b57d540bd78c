public import Bluetooth
public import LunaJSON

/// An event as a backend gives it to its owner.
public struct StoredEvent: Hashable, Sendable {
  /// The event as it was uploaded.
  public let event: TrackerEvent
  /// When the backend received it first.
  public let receivedAt: Timestamp

  /// An event and its time.
  public init(_ event: TrackerEvent, receivedAt: Timestamp) {
    self.event = event
    self.receivedAt = receivedAt
  }

  /// Reads an event.
  public init(json: JSONValue) throws(FormatError) {
    event = try TrackerEvent(json: json)
    receivedAt = try JSONMembers(json, name: "the event").time("receivedAt")
  }

  /// The event as JSON.
  public var json: JSONValue {
    var object = event.members
    object.append("receivedAt", .string(receivedAt.rfc3339))
    return .object(object)
  }
}
