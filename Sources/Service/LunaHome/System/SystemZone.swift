import Glibc

/// The time zones of this machine.
package enum SystemZone {
  private static let folder = "/usr/share/zoneinfo/"

  /// The zone of a name; nil for one that is not there.
  package static func read(_ name: String) -> ZoneRules? {
    guard !name.split(separator: "/").contains("..") else { return nil }
    return read(name, at: folder + name)
  }

  /// That of the environment, else of the machine, else UTC.
  package static var current: ZoneRules {
    let variable = getenv("TZ").map { String(cString: $0) } ?? ""
    return zone(of: variable) ?? read("localtime", at: "/etc/localtime") ?? .utc
  }

  /// The zone of a value of `TZ` in each of its forms, as the C library knows it, by which all other times are told: a
  /// name or a path, with a colon in front perhaps, or a rule as POSIX writes it.
  static func zone(of variable: String) -> ZoneRules? {
    let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    guard !name.isEmpty else { return nil }
    if let zone = name.hasPrefix("/") ? read(name, at: name) : read(name) { return zone }
    // A rule that names a summer time and does not say when it is has that of New York.
    return ZoneRules(posix: name) ?? ZoneRules(posix: name + ",M3.2.0,M11.1.0")
  }

  private static func read(_ name: String, at path: String) -> ZoneRules? {
    guard let bytes = try? WholeFile.read(path, limit: 1 << 20) else { return nil }
    return ZoneRules(name: name, bytes)
  }
}
