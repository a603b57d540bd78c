public import Bluetooth

/// How a gateway was at a time.
public struct HealthSample: Hashable, Sendable {
  /// When.
  public let time: Timestamp
  /// How it was.
  public let health: HealthReport

  /// How a gateway was at a time of its own clock.
  public init(time: Timestamp, health: HealthReport) {
    self.time = time
    self.health = health
  }
}
