/// What a tracker tells of its battery (PROTOCOL.md, 8).
public enum BatteryLevel: UInt8, Sendable {
  /// It does not tell.
  case unknown = 0
  /// Nothing to do.
  case normal = 1
  /// To be changed soon.
  case low = 2
  /// To be changed now.
  case critical = 3

  /// Whether the battery is low; nil when unknown.
  public var isLow: Bool? { self == .unknown ? nil : rawValue >= BatteryLevel.low.rawValue }
}
