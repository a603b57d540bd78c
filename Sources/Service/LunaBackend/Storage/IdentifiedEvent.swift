public import LunaCore

/// An event and what tells it from others.
public struct IdentifiedEvent: Hashable, Sendable {
  /// What tells it from others.
  public let id: EventID
  /// The event as a gateway uploaded it.
  public let event: TrackerEvent

  /// An event and its identity.
  public init(_ event: TrackerEvent, id: EventID) {
    self.event = event
    self.id = id
  }
}
