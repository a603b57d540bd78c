package import Bluetooth
package import LunaCore
import LunaProtocol
package import Prometheus

extension MetricsText {
  /// What a source has seen and lost.
  package mutating func add(_ counters: SourceCounters) {
    add(heardBy: counters)
    counter(
      "luna_lost_total", "What was lost, by reason.",
      counters.losses.map { ([("reason", $0.reason)], Double($0.count)) })
    add(recoverySteps: Double(counters.recoverySteps))
  }

  /// What a source has seen.
  package mutating func add(heardBy counters: SourceCounters) {
    counter("luna_packets_total", "Packets read.", [([], Double(counters.packets))])
    counter("luna_reports_total", "Advertisements heard.", [([], Double(counters.reports))])
  }

  /// Steps by which a radio was brought back.
  package mutating func add(recoverySteps: Double) {
    counter(
      "luna_recovery_steps_total", "Steps that were taken to bring the radio back.",
      [([], recoverySteps)])
  }

  /// How it stands with the radio.
  package mutating func add(isListening: Bool) {
    gauge("luna_listening", "Whether the radio delivers.", [([], isListening ? 1 : 0)])
  }

  /// One's own trackers that were heard.
  package mutating func add(_ devices: [LocalDevice]) {
    let states = devices.map(\.snapshot).filter { $0.uuid != nil && $0.lastSeenDate != nil }
    func values(
      _ value: (LocalDevice.State) -> Double?
    ) -> [(labels: [(String, String)], value: Double)] {
      states.compactMap { state in
        guard let uuid = state.uuid, let value = value(state) else { return nil }
        return ([("device", uuid.description), ("name", state.name ?? "")], value)
      }
    }
    gauge(
      "luna_tracker_present", "Whether a tracker is heard.",
      values { $0.timedOut == true ? 0 : 1 })
    gauge("luna_tracker_rssi_dbm", "The last signal of a tracker, dBm.", values(\.rssi))
    gauge(
      "luna_tracker_last_seen_seconds", "When a tracker was heard last, Unix time.",
      values { $0.lastSeenDate.map { Double($0.microseconds) / 1e6 } })
    gauge(
      "luna_tracker_battery_low", "Whether the battery of a tracker is low.",
      values { $0.batteryLowLevel.map { $0 ? 1 : 0 } })
  }
}
