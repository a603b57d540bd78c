import Bluetooth
package import LunaCore
import LunaProtocol

/// What is known of a tracker nearby, for people.
package enum LocalText {
  /// What it is, and how it stands with it: `LunaTracker (silent)`.
  package static func kind(_ state: LocalDevice.State) -> String {
    let family =
      switch state.kind {
      case .luna: "LunaTracker"
      case .eddystoneEID: "Eddystone-EID"
      case .appleFindMy: "Find My"
      case .appleFindMyKey: "Find My, fixed key"
      case .googleFindHub: "Find Hub"
      case .resolvableAddress: "private address"
      case .lunaShared: "LunaTracker, shared"
      }
    if state.onboardable { return family + " (to onboard)" }
    if state.isProvisional { return family + " (unproven)" }
    if state.timedOut == nil { return family + " (not heard)" }
    if state.timedOut == true { return family + " (silent)" }
    return state.separated == true ? family + " (separated)" : family
  }

  /// By how much the clock is known to be wrong, and how exactly: `+1.2±0.6 s`.
  package static func clock(_ state: LocalDevice.State) -> String {
    guard let clock = state.clock, state.timedOut != nil else { return "" }
    let middle = (clock.low + clock.high) / 2
    let width = (clock.high - clock.low) / 2
    return (middle < 0 ? "-" : "+") + amount(abs(middle)) + "±" + amount(width) + " s"
  }

  private static func amount(_ seconds: Double) -> String {
    seconds < 100
      ? DecimalText.text(Int64((seconds * 10).rounded()), digits: 1)
      : String(Int64(min(seconds, 1e12).rounded()))
  }

  /// How its battery is, in the words of the documents; nil where it has not told.
  package static func battery(_ state: LocalDevice.State) -> String? {
    state.batteryLowLevel.map { $0 ? "low" : "normal" }
  }

  /// All that is known of it: what people ask for first, then its identifiers.
  package static func details(_ state: LocalDevice.State) -> [DetailWriter.Detail] {
    var details: [DetailWriter.Detail] = []
    func add(_ label: String, _ value: String?) {
      if let value { details.append(DetailWriter.Detail(label: label, value: value)) }
    }
    add("name", state.name)
    add("what", kind(state))
    add("battery", battery(state))
    add("separated", state.separated.map(word))
    add("connectable", state.connectable.map(word))
    add("clock low", state.clock.map { "\($0.low) s" })
    add("clock high", state.clock.map { "\($0.high) s (at most \($0.ppm) ppm)" })
    add("flags", state.flagsDiffer ? "differ from the encrypted status" : nil)
    add("device", state.uuid?.description)
    add("counter", state.period.map { "\($0)" })
    add("eid", state.eid)
    add("heid", state.heid)
    var timeText = TimeText()
    for eid in state.timestampedEids.suffix(8).reversed() {
      let drift = eid.drift.isNaN ? "" : ", drift \(amount(abs(eid.drift))) s"
      add("heard as", "\(eid.eid) at \(timeText.string(eid.receivedAt))\(drift)")
    }
    return details
  }

  private static func word(_ value: Bool) -> String { value ? "yes" : "no" }
}
