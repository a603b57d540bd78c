/// The battery of this machine, for the debug fields.
public struct GatewayBattery: Hashable, Sendable {
  /// How full it is, 0 to 1.
  public let level: Double
  /// `charging`, `unplugged`, `full` or `unknown`.
  public let state: String

  /// A battery.
  ///
  /// - Parameters:
  ///   - level: how full it is, 0 to 1.
  ///   - state: `charging`, `unplugged`, `full` or `unknown`.
  public init(level: Double, state: String) {
    self.level = level
    self.state = state
  }
}
