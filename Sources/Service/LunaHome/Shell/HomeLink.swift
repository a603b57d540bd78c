public import LunaJSON

/// How a home stands with something that it depends on: its radio, its backend, its broker.
public struct HomeLink: Hashable, Sendable {
  /// How it is; the words of the JSON.
  public enum State: String, Sendable {
    /// It was not tried yet, or is being tried.
    case starting
    /// It works.
    case works
    /// It does not work; it is tried again.
    case lost
  }

  /// How it is since ``since``.
  public var state: State
  /// What it is, or why it does not work, for a person.
  public var text: String
  /// Since when, µs since 1970.
  public var since: Int64
  /// Whether it is made up.
  public var isSimulated = false

  /// It as JSON.
  public var json: JSONValue {
    [
      "state": .string(state.rawValue), "text": .string(text), "since": HomeTime.json(since),
      "simulated": .bool(isSimulated),
    ]
  }
}
