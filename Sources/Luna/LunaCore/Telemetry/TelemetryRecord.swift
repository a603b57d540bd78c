/// Something to be queued.
public struct TelemetryRecord: Hashable, Sendable {
  /// An event or an operation, or a sample of health.
  public enum Content: Hashable, Sendable {
    /// The key and the value of an item.
    case item(key: String, value: String)
    /// How the gateway was.
    case sample(HealthReport)
  }

  /// An item or a sample, which has no name yet.
  public let content: Content
  /// When it happened first, of several.
  public let time: TelemetryTime
  /// How often it happened, 1 or more.
  public var count: Int64

  /// Something that happened `count` times within a few seconds, the first time at `time`.
  public init(_ content: Content, at time: TelemetryTime, count: Int64 = 1) {
    self.content = content
    self.time = time
    self.count = count
  }
}
