/// What a backend had for an owner.
public struct FoundEvents: Hashable, Sendable {
  /// The events, oldest first.
  public internal(set) var events: [Event] = []
  /// The events that could not be opened, by reason. Nothing is dropped silently.
  public internal(set) var unopened: [String: Int] = [:]
  /// How many periods were asked for.
  public internal(set) var periods = 0
  /// How many requests that took.
  public internal(set) var requests = 0

  /// How many of the events are not plausible.
  public var implausible: Int { events.count { !$0.isPlausible } }

  /// One line for a person.
  public var summary: String {
    var text = "\(events.count) event\(events.count == 1 ? "" : "s")"
    if implausible > 0 { text += ", \(implausible) of them at an implausible time" }
    for (reason, count) in unopened.sorted(by: { $0.key < $1.key }) {
      text += ", \(count) not opened (\(reason))"
    }
    return text
  }
}
