import EventLoop
import Glibc
import LunaCore
import SafeText

/// Asks systemd for the units of Luna.
enum UnitReader {
  private static let properties = [
    "Id", "ActiveState", "SubState", "Result", "ExecMainStatus", "UnitFileState",
    "NeedDaemonReload", "ExecStart", "ExecMainStartTimestamp", "LoadState",
  ]

  /// What they are called, and no others that begin so (lunar-calendar.service).
  private static let patterns = ["luna.service", "luna-*.service", "luna-helper.socket"]

  static func read() async -> UnitFacts {
    var facts = UnitFacts(version: LunaVersion.text)
    // sd_booted(3).
    guard access("/run/systemd/system", F_OK) == 0 else {
      facts.hasSystemd = false
      return facts
    }
    guard
      // It fails where there is none, too; whether systemd answers, the other one tells.
      let files = await Programs.output(
        "{ systemctl list-unit-files --no-legend --no-pager \"$0\" \"$@\" || :; }", patterns),
      let loaded = await Programs.output(
        "exec systemctl list-units --all --plain --no-legend --no-pager \"$0\" \"$@\"", patterns)
    else {
      facts.problem = "systemctl does not answer"
      return facts
    }
    let names = (files.split(separator: "\n") + loaded.split(separator: "\n"))
      .compactMap { $0.split(separator: " ").first.map { String($0) } }
      // A template is no unit; its instances are, but for those that only hand over a socket.
      .filter { !$0.contains(text: "@.") && !$0.hasPrefix("luna-helper@") }
    let unique = Set(names).sorted()
    guard !unique.isEmpty else { return facts }
    guard
      let text = await Programs.output(
        "exec systemctl show --timestamp=unix -p \"$0\" \"$@\"",
        [properties.joined(separator: ",")] + unique)
    else {
      facts.problem = "systemctl does not tell of its units"
      return facts
    }
    for block in UnitBlock.blocks(text) where block["LoadState"] != "not-found" {
      var unit = block.unit
      if let program = unit.program {
        unit.isOutdated = await isOutdated(program, since: block.startedAt)
        // Others may do anything when they are asked.
        if unit.isLuna { unit.version = await Programs.version(of: program) }
      }
      facts.units.append(unit)
    }
    return facts
  }

  /// Whether a program was put in its place after a moment: the time of its inode is then, whatever
  /// the package says when it was made.
  private static func isOutdated(_ program: String, since moment: Int64?) async -> Bool {
    guard let moment else { return false }
    return await Blocking.run {
      var status = stat()
      return stat(program, &status) == 0 && Int64(status.st_ctim.tv_sec) > moment
    }
  }
}
