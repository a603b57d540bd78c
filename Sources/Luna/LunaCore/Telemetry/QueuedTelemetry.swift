/// Something that waits to be sent.
public struct QueuedTelemetry: Hashable, Sendable, Identifiable {
  /// An item or a sample.
  public enum Content: Hashable, Sendable {
    /// An item.
    case item(TelemetryItem)
    /// A sample of health.
    case sample(HealthSample)
  }

  /// Its number in the queue, never given twice.
  public let id: Int64
  /// What is to be sent.
  public let content: Content

  /// Something with its place.
  public init(id: Int64, _ content: Content) {
    self.id = id
    self.content = content
  }
}
