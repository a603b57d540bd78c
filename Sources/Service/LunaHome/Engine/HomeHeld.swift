import LunaJSON

/// A rule that did not run, and why not.
public struct HomeHeld: Hashable, Sendable {
  /// Why it did not run; the words of the JSON.
  public enum Why: String, Sendable {
    /// The condition was false.
    case condition
    /// The condition could not be judged.
    case unknown
    /// It ran for this tracker a short time ago.
    case cooldown
    /// It ran too often within an hour.
    case limit
    /// Its message fell into quiet hours.
    case quiet
    /// Somebody put it to sleep.
    case snoozed
    /// It is part of a chain of rules that start each other.
    case loop
  }

  /// When, µs since 1970.
  public let wall: Int64
  /// The id of the rule.
  public let rule: String
  /// Why it did not run.
  public let why: Why
  /// What would have started it.
  public let cause: HomeCause
  /// The conditions with their results.
  public let conditions: [String]

  var json: JSONValue {
    [
      "type": "held", "time": HomeTime.json(wall), "rule": .string(rule),
      "why": .string(why.rawValue),
      "cause": cause.json, "conditions": .array(conditions.map { .string($0) }),
    ]
  }
}
