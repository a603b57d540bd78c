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
    let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if !name.isEmpty, let zone = read(name) { return zone }
    return read("localtime", at: "/etc/localtime") ?? .utc
  }

  private static func read(_ name: String, at path: String) -> ZoneRules? {
    guard let bytes = try? WholeFile.read(path, limit: 1 << 20) else { return nil }
    return ZoneRules(name: name, bytes)
  }
}
