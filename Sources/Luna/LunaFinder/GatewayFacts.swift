/// What a gateway knows of itself, for the debug fields (PROTOCOL.md, 9.3).
public struct GatewayFacts: Hashable, Sendable {
  /// What it is called; nil when that is not known.
  public var name: String?
  /// Its battery; nil where it has none.
  public var battery: GatewayBattery?

  /// What is known of a gateway; nil for what is not, or is not there.
  public init(name: String? = nil, battery: GatewayBattery? = nil) {
    self.name = name
    self.battery = battery
  }
}
