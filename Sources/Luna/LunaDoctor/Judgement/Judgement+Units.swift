import Diagnosis

extension Judgement {
  /// `units`.
  static func units(_ facts: UnitFacts) -> Finding {
    guard facts.hasSystemd else {
      return .nothing(.units, "systemd does not run this machine")
    }
    if let problem = facts.problem {
      return Finding(.units, .unknown, "systemd cannot be asked (\(problem))")
    }
    guard !facts.units.isEmpty else {
      return .nothing(.units, "no service of Luna is installed")
    }
    let findings = facts.units.map { unit($0, facts.version) }
    // The worst of all; of others, what they are.
    if let worst = findings.first(where: { $0.state == .failed })
      ?? findings.first(where: { $0.state == .warning })
    {
      return worst
    }
    return Finding(.units, .ok, findings.map(\.cause).joined(separator: ", "))
  }

  private static func unit(_ unit: UnitFacts.Unit, _ version: String) -> Finding {
    let name = unit.name.hasSuffix(".service") ? String(unit.name.dropLast(8)) : unit.name
    if unit.active == "failed" {
      return Finding(
        .units, .failed, "\(name) has failed (\(result(unit)))", remedy: "\(.unitLog(unit.name))")
    }
    if unit.sub == "auto-restart" {
      return Finding(
        .units, .failed, "\(name) fails again and again (\(result(unit)))",
        remedy: "\(.unitLog(unit.name))")
    }
    guard unit.active == "active" || unit.active == "activating" || unit.active == "reloading"
    else {
      // What nobody switched on need not run.
      return unit.file == "enabled"
        ? Finding(
          .units, .failed, "\(name) is enabled and does not run",
          remedy: "\(.startUnit(unit.name))")
        : Finding(.units, .ok, "\(name) is installed and not in use")
    }
    if unit.needsReload {
      return Finding(
        .units, .warning, "the file of \(name) has changed since it was started",
        remedy: "\(.reloadUnits); then \(.restartUnit(unit.name))")
    }
    if unit.isOutdated {
      return Finding(
        .units, .warning, "\(name) still runs the program of before the last upgrade",
        remedy: "\(.restartUnit(unit.name))")
    }
    if let other = unit.version, other != version {
      return Finding(
        .units, .warning, "\(name) is Luna \(other), and this is \(version)",
        remedy: "install the same version, then \(.restartUnit(unit.name))")
    }
    return Finding(.units, .ok, "\(name) runs")
  }

  private static func result(_ unit: UnitFacts.Unit) -> String {
    unit.result == "exit-code" ? "exit code \(unit.exitStatus)" : unit.result
  }
}
