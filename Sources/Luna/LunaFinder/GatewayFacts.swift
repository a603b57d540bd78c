import Glibc

/// What a gateway knows of itself, for the debug fields (PROTOCOL.md, 9.3).
public struct GatewayFacts: Hashable, Sendable {
  /// What it is called; nil when that is not known.
  public var name: String?
  /// Its battery; nil where it has none.
  public var battery: GatewayBattery?

  /// Facts.
  public init(name: String? = nil, battery: GatewayBattery? = nil) {
    self.name = name
    self.battery = battery
  }

  /// Those of this machine, as they are now.
  public static func ofThisMachine() -> GatewayFacts {
    var system = utsname()
    let isKnown = uname(&system) == 0
    let text = withUnsafeBytes(of: &system.nodename) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return GatewayFacts(name: isKnown && !text.isEmpty ? text : nil, battery: GatewayBattery())
  }
}
