public import Bluetooth

/// Identifiers that appear abnormally fast, as where somebody makes them up.
public struct CrowdStatus: Hashable, Sendable {
  /// How many there were within the last minute.
  public var newPerMinute: Int
  /// Since when it goes on.
  public var since: Timestamp
  /// When that was noted last.
  public var notedAt: Timestamp

  /// A crowd that goes on; where there is none, there is no status.
  public init(newPerMinute: Int, since: Timestamp, notedAt: Timestamp) {
    self.newPerMinute = newPerMinute
    self.since = since
    self.notedAt = notedAt
  }
}
