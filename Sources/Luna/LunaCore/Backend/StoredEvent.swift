public import Bluetooth

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
}
