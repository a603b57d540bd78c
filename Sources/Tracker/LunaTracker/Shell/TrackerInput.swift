import LunaProtocol
public import TrackerMachine

/// What somebody does to a tracker, read from a line: `button NAME` presses its button, `reset NAME`
/// holds it for 10 s, `battery NAME normal|low|critical|unknown` sets its battery.
public struct TrackerInput: Sendable {
  /// Which of the trackers that run here.
  public let name: String
  /// What happens to it, in order.
  public let events: [TrackerMachine.Event]
  /// How long lies between the first event and the second.
  public let hold: Duration

  private static let levels: [String: BatteryLevel] = [
    "unknown": .unknown, "normal": .normal, "low": .low, "critical": .critical,
  ]

  /// Reads a line; nil when it makes no sense or no tracker has that name.
  public init?(_ line: String, names: [String]) {
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
