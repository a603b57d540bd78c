public import Bluetooth
public import LunaCore

/// An event of a storage, and when it was received first.
public struct FoundEvent: Hashable, Sendable {
  /// The event, with what tells it from others.
  public let event: IdentifiedEvent
  /// When the backend got it first.
  public let receivedAt: Timestamp

  /// An event and its time.
  public init(_ event: IdentifiedEvent, receivedAt: Timestamp) {
    self.event = event
    self.receivedAt = receivedAt
  }

  /// The event as owners get it.
  public var stored: StoredEvent { StoredEvent(event.event, receivedAt: receivedAt) }
}
