public import Bluetooth

/// An event that waits for its upload.
public struct QueuedEvent: Hashable, Sendable, Identifiable {
  /// Its number in the queue, never given twice.
  public let id: Int64
  /// What is uploaded: its report was sealed before it was queued.
  public let event: TrackerEvent
  /// When it was queued, by the clock of then.
  public let queuedAt: Timestamp

  /// An event with its place.
  public init(id: Int64, event: TrackerEvent, queuedAt: Timestamp) {
    self.id = id
    self.event = event
    self.queuedAt = queuedAt
  }
}
