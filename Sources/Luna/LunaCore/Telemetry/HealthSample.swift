public import Bluetooth

/// How a gateway was at a time.
public struct HealthSample: Hashable, Sendable {
  /// When that was, by the clock of the gateway.
  public let time: Timestamp
  /// What it told of itself then.
  public let health: HealthReport

  /// How a gateway was at a time of its own clock.
  public init(time: Timestamp, health: HealthReport) {
    self.time = time
    self.health = health
  }
}
