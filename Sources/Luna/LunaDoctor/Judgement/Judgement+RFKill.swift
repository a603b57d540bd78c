import BlueZ
import Bluetooth
import Diagnosis

extension Judgement {
  /// `rfkill`.
  static func rfkill(_ facts: RadioFacts) -> Finding {
    let chosen = Set(facts.chosen.map(\.name))
    let others = Set(facts.kernel.adapters.map(\.name)).subtracting(chosen)
    // One that belongs to no adapter is the machine's, for all of them.
    let ours = facts.kernel.switches.filter { !others.contains($0.name) }
    guard let blocking = ours.max(by: { $0.state < $1.state }), blocking.state != .unblocked else {
      return unblocked(facts, others)
    }
    let what = chosen.contains(blocking.name) ? blocking.name : "Bluetooth (\(blocking.name))"
    return blocking.state == .hard
      ? Finding(
        .rfkill, .failed, "a switch of the machine, or its firmware, blocks \(what)",
        remedy: "use the switch or key for wireless, or the settings of the firmware")
      : Finding(
        .rfkill, .failed, "\(what) is blocked in software", remedy: "\(.unblockRadios)")
  }

  private static func unblocked(_ facts: RadioFacts, _ others: Set<String>) -> Finding {
    let blocked = facts.kernel.switches.filter { $0.state != .unblocked }
      .map(\.name).filter(others.contains)
    if facts.kernel.switches.isEmpty {
      return Finding(.rfkill, .ok, "there is no switch that could block Bluetooth")
    }
    return Finding(
      .rfkill, .ok,
      "nothing is blocked" + (blocked.isEmpty ? "" : " but \(blocked.joined(separator: ", "))"))
  }
}
