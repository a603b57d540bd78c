/// What `systemctl show` tells of one unit: lines `NAME=VALUE`.
struct UnitBlock: Sendable {
  private let values: [Substring: Substring]

  /// One for each unit; an empty line lies between.
  static func blocks(_ text: String) -> [UnitBlock] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .split(separator: "").map { UnitBlock($0) }
  }

  private init(_ lines: ArraySlice<Substring>) {
    var values: [Substring: Substring] = [:]
    for line in lines {
      guard let sign = line.firstIndex(of: "=") else { continue }
      values[line[..<sign]] = line[line.index(after: sign)...]
    }
    self.values = values
  }

  subscript(name: Substring) -> String { values[name].map { String($0) } ?? "" }

  /// When its process was started, seconds since 1970: `@1795000000`; nil when it was not.
  var startedAt: Int64? {
    guard self["ActiveState"] == "active" else { return nil }
    return Int64(self["ExecMainStartTimestamp"].dropFirst())
  }

  /// The unit, as far as systemd tells.
  var unit: UnitFacts.Unit {
    var unit = UnitFacts.Unit(name: self["Id"])
    unit.active = self["ActiveState"]
    unit.sub = self["SubState"]
    unit.result = self["Result"]
    unit.exitStatus = Int32(self["ExecMainStatus"]) ?? 0
    unit.file = self["UnitFileState"]
    unit.needsReload = self["NeedDaemonReload"] == "yes"
    // { path=/usr/bin/luna ; argv[]=... }
    unit.program = self["ExecStart"].split(separator: " ")
      .first { $0.hasPrefix("path=") }.map { String($0.dropFirst(5)) }
    return unit
  }
}
