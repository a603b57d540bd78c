import MQTT

/// Under which names a home publishes, and listens (HOME.md 9).
struct HomeTopics: Hashable, Sendable {
  /// What all of them begin with.
  let base: String

  /// `online` or `offline`, retained; the latter is the last will.
  var status: String { base + "/status" }
  /// Firings, a JSON object each, not retained.
  var event: String { base + "/event" }
  /// What a message of any name comes by.
  var messages: String { base + "/message/#" }

  /// A part of a tracker: `state`, `attributes`, `zone` or `health`.
  func part(_ name: String, of tracker: String) -> String {
    "\(base)/tracker/\(BrokerSetup.level(tracker))/\(name)"
  }

  /// All that the broker keeps of a tracker.
  func all(of tracker: String) -> [String] {
    ["state", "attributes", "zone", "health"].map { part($0, of: tracker) }
      + [discovery(of: tracker)]
  }

  /// Where Home Assistant looks for a tracker.
  func discovery(of tracker: String) -> String {
    "homeassistant/device/\(identifier(of: tracker))/config"
  }

  /// What tells a tracker from all others: not only of this home.
  func identifier(of tracker: String) -> String {
    "luna_\(BrokerSetup.level(base))_\(BrokerSetup.level(tracker))"
  }

  /// What a topic asks for.
  enum Command: Equatable {
    /// An action of the tracker of this level.
    case perform(tracker: String)
    /// To set a property of it.
    case set(tracker: String, property: String)
    /// A message of this name.
    case message(String)
  }

  func command(in topic: String) -> Command? {
    guard topic.hasPrefix(base + "/") else { return nil }
    let parts = topic.dropFirst(base.count + 1).split(
      separator: "/", omittingEmptySubsequences: false
    ).map(String.init)
    if parts.count == 3, parts[0] == "tracker", parts[2] == "do" {
      return .perform(tracker: parts[1])
    }
    if parts.count == 4, parts[0] == "tracker", parts[2] == "set" {
      return .set(tracker: parts[1], property: parts[3])
    }
    if parts.count >= 2, parts[0] == "message" {
      return .message(parts.dropFirst().joined(separator: "/"))
    }
    return nil
  }
}
