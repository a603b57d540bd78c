import LunaJSON
import Synchronization

/// What a server counts, and its text for Prometheus. Nothing in it tells trackers or clients apart.
final class Metrics: Sendable {
  private struct State {
    var requests: [String: Int] = [:]
    var durations = Histogram()
    var events: [String: Int] = [:]
    var commands: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// Counts an answer.
  func answered(_ operation: String, status: Int, after duration: Duration) {
    state.withLock {
      $0.requests["operation=\"\(operation)\",status=\"\(status)\"", default: 0] += 1
      $0.durations.add(duration / .seconds(1))
    }
  }

  /// Counts events by what became of them: `accepted`, `duplicate` or the code of a rejection.
  func events(_ outcome: String, _ count: Int) {
    if count > 0 { state.withLock { $0.events[outcome, default: 0] += count } }
  }

  /// Counts what happens to commands.
  func command(_ what: String) { state.withLock { $0.commands[what, default: 0] += 1 } }

  /// All of it in one object: requests by operation and status, events and commands by what became of them.
  var summary: JSONObject {
    let state = state.withLock { $0 }
    func object(_ counts: [String: Int]) -> JSONValue {
      var object: JSONObject = [:]
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
        object.append(name, .integer(Int64(count)))
      }
      return .object(object)
    }
    var byStatus: [String: Int] = [:]
    for (key, count) in state.requests {
      byStatus[String(key.suffix(4).prefix(3)), default: 0] += count
    }
    return [
      "requests": object(byStatus), "events": object(state.events),
      "commands": object(state.commands),
    ]
  }

  /// The text exposition format of Prometheus, version 0.0.4.
  ///
  /// - Parameter gauges: what is measured now: name, help and value.
  func text(_ gauges: [(name: String, help: String, value: Double)]) -> String {
    let state = state.withLock { $0 }
    var text = ""
    func head(_ name: String, _ type: String, _ help: String) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }
    func counter(_ name: String, _ help: String, _ values: [String: Int]) {
      head(name, "counter", help)
      for (labels, value) in values.sorted(by: { $0.key < $1.key }) {
        text += "\(name){\(labels)} \(value)\n"
      }
    }
    counter("luna_http_requests_total", "Answers by operation and status.", state.requests)
    let name = "luna_http_request_duration_seconds"
    head(name, "histogram", "From the end of the head of a request to its answer.")
    for (index, bound) in Histogram.bounds.enumerated() {
      text += "\(name)_bucket{le=\"\(bound)\"} \(state.durations.counts[index])\n"
    }
    text += "\(name)_bucket{le=\"+Inf\"} \(state.durations.total)\n"
    text += "\(name)_sum \(state.durations.sum)\n\(name)_count \(state.durations.total)\n"
    counter(
      "luna_events_total", "Events by what became of them.",
      Dictionary(uniqueKeysWithValues: state.events.map { ("outcome=\"\($0)\"", $1) }))
    counter(
      "luna_commands_total", "What happened to commands.",
      Dictionary(uniqueKeysWithValues: state.commands.map { ("event=\"\($0)\"", $1) }))
    for gauge in gauges {
      head(gauge.name, "gauge", gauge.help)
      text += "\(gauge.name) \(gauge.value)\n"
    }
    return text
  }
}
