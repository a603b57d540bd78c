import BlueZ
import Bluetooth
import Diagnosis

extension Judgement {
  /// `scanner`.
  static func scanner(
    _ facts: RadioFacts, _ daemon: DaemonSurvey?, _ neighbours: NeighbourSurvey
  ) -> Finding {
    guard !facts.chosen.isEmpty else { return facts.nobody(.scanner) }
    for adapter in facts.chosen where adapter.state == .exclusive {
      return exclusive(adapter, neighbours)
    }
    let chosen = Set(facts.chosen.map(\.index))
    let rivals = unique(
      neighbours.programs.filter { $0.use == .raw && $0.adapter.map(chosen.contains) ?? true }
        .map(\.name))
    if !rivals.isEmpty {
      return Finding(
        .scanner, .warning,
        "\(rivals.joined(separator: ", ")) sends HCI commands of its own past the kernel (raw "
          + "socket), and may stop or change a scan",
        remedy: "end that program")
    }
    let isDiscovering =
      daemon?.radios.contains { chosen.contains($0.index) && $0.isDiscovering } ?? false
    let reports = neighbours.reports.filter { chosen.contains($0.key) }.map(\.value).reduce(0, +)
    return scanning(isDiscovering, reports, neighbours, daemon)
  }

  private static func exclusive(_ adapter: Adapter, _ neighbours: NeighbourSurvey) -> Finding {
    let told = neighbours.programs.filter { $0.use == .exclusive && $0.adapter == adapter.index }
    // With its number where that is known.
    let names = told.isEmpty ? adapter.users : unique(told.map { full($0.name, neighbours) })
    let who = names.isEmpty ? "another program" : names.joined(separator: " or ")
    return Finding(
      .scanner, .failed, "\(who) has \(adapter.name) for itself (HCI user channel)",
      remedy: "end that program, or use \(.otherAdapter)")
  }

  private static func scanning(
    _ isDiscovering: Bool, _ reports: Int, _ neighbours: NeighbourSurvey, _ daemon: DaemonSurvey?
  ) -> Finding {
    let managers = unique(
      (neighbours.programs.filter { $0.use == .management }.map { full($0.name, neighbours) }
        + neighbours.holders).filter { !$0.hasPrefix("bluetoothd") })
    let names = managers.joined(separator: ", ")
    if isDiscovering || reports > 0, managers.contains(where: { $0.hasPrefix("luna") }) {
      return Finding(.scanner, .ok, "\(names) scans too; Luna shares what it hears")
    }
    if isDiscovering {
      return Finding(
        .scanner, .warning,
        "another program has bluetoothd scan, and both get what both asked for"
          + (managers.isEmpty ? "" : "; beside bluetoothd there is \(names)"),
        remedy:
          "end it where advertisements are missed: bluetoothctl, the desktop's Bluetooth settings, "
          + "another gateway")
    }
    if reports > 0, !managers.isEmpty {
      return Finding(
        .scanner, .warning, "\(names) scans past bluetoothd (\(reports) reports meanwhile)",
        remedy: "end it where advertisements are missed")
    }
    if reports > 0 {
      return Finding(.scanner, .ok, "the kernel listens for devices that are paired; nobody else")
    }
    if !neighbours.couldListen {
      return daemon?.access == .answers
        ? Finding(
          .scanner, .ok,
          "nobody scans through bluetoothd; what goes past it cannot be seen without CAP_NET_RAW")
        : Finding(.scanner, .unknown, "this program may not see who scans (CAP_NET_RAW)")
    }
    return Finding(
      .scanner, .ok, "nobody else scans" + (managers.isEmpty ? "" : "; \(names) could"))
  }

  /// A name as /proc tells it, with the number of the process, where it does.
  private static func full(_ name: String, _ neighbours: NeighbourSurvey) -> String {
    neighbours.holders.first { $0.hasPrefix(name + " (") } ?? name
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
