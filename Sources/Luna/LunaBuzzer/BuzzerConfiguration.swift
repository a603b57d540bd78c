public import Bluetooth

/// How a ``LunaBuzzer`` works.
public struct BuzzerConfiguration: Sendable {
  /// How long things may take.
  public var limits: BuzzerLimits
  /// How the time of counters and of trackers' clocks follows from that of this machine; the same,
  /// but for tests.
  public var protocolTime: @Sendable (Timestamp) -> Timestamp

  /// A configuration; by default with the usual limits and the time of this machine.
  public init(
    limits: BuzzerLimits = BuzzerLimits(),
    protocolTime: @escaping @Sendable (Timestamp) -> Timestamp = { $0 }
  ) {
    self.limits = limits
    self.protocolTime = protocolTime
  }
}
