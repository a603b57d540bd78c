import Glibc
public import LunaFinder

extension GatewayFacts {
  /// Those of this machine, as they are now: its host name and its battery. Reads files.
  public static func ofThisMachine() -> GatewayFacts {
    var system = utsname()
    let isKnown = uname(&system) == 0
    let text = withUnsafeBytes(of: &system.nodename) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return GatewayFacts(name: isKnown && !text.isEmpty ? text : nil, battery: GatewayBattery())
  }
}
