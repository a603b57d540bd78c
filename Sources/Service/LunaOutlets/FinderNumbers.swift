package import Bluetooth
import LunaCore
package import LunaFinder
package import Prometheus
import Synchronization

/// What a gateway counts.
package final class FinderNumbers: Sendable {
  private struct State {
    var tally = FinderTally()
    var isListening = false
  }

  private let state = Mutex(State())

  /// Nothing was counted yet.
  package init() {}

  /// Something happened.
  package func take(_ update: FinderUpdate) {
    state.withLock { state in
      state.tally.take(update)
      switch update {
      case .state(.listening), .state(.underAttack): state.isListening = true
      case .state(.recovering), .state(.lost): state.isListening = false
      default: break
      }
    }
  }

  /// The page, with what the radio has heard.
  package func text(_ counters: SourceCounters) -> MetricsText {
    let (tally, isListening) = state.withLock { ($0.tally, $0.isListening) }
    func by(
      _ label: String, _ counts: [String: Int]
    ) -> [(labels: [(String, String)], value: Double)] {
      counts.sorted { $0.key < $1.key }.map { ([(label, $0.key)], Double($0.value)) }
    }
    var text = MetricsText()
    text.add(heardBy: counters)
    text.counter(
      "luna_sightings_total", "Sightings queued.", [([], Double(tally.found))])
    text.counter(
      "luna_uploaded_total", "Events uploaded, by what became of them.",
      by(
        "outcome",
        ["accepted": tally.accepted, "duplicate": tally.duplicates, "refused": tally.refused]))
    text.counter(
      "luna_upload_failures_total", "Uploads that failed.", [([], Double(tally.failures))])
    text.counter("luna_lost_total", "What was lost, by reason.", by("reason", tally.dropped))
    text.add(recoverySteps: Double(tally.recoverySteps))
    text.counter(
      "luna_commands_total", "Commands, by what came of them.",
      by(
        "outcome",
        Dictionary(uniqueKeysWithValues: tally.commands.map { ($0.key.rawValue, $0.value) })))
    if let waiting = tally.waiting {
      text.gauge("luna_waiting", "Events that wait for the backend.", [([], Double(waiting))])
    }
    text.add(isListening: isListening)
    return text
  }
}
