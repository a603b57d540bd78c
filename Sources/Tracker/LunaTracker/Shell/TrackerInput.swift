import LunaProtocol
import LunaTracker

/// A line on the standard input of `luna tracker run`: what somebody does to a tracker.
struct TrackerInput: Sendable {
  let name: String
  let events: [TrackerEvent]
  /// Between the first event and the second.
  let hold: Duration

  private static let levels: [String: BatteryLevel] = [
    "unknown": .unknown, "normal": .normal, "low": .low, "critical": .critical,
  ]

  /// Reads a line; nil when it makes no sense or no tracker has that name.
  init?(_ line: String, names: [String]) {
    guard let verb = line.split(separator: " ").first else { return nil }
    var rest = String(line.dropFirst(verb.count + 1))
    switch verb {
    case "button":
      events = [.buttonDown, .buttonUp]
      hold = .milliseconds(100)
    case "reset":
      events = [.buttonDown, .buttonUp]
      hold = .milliseconds(10_100)
    case "battery":
      guard let word = rest.split(separator: " ").last,
        let level = TrackerInput.levels[String(word)]
      else { return nil }
      rest = String(rest.dropLast(word.count + 1))
      events = [.battery(level)]
      hold = .zero
    default: return nil
    }
    guard names.contains(rest) else { return nil }
    name = rest
  }
}
