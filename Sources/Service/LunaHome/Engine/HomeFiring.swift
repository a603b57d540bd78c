import LunaJSON

/// A rule that ran, and why.
public struct HomeFiring: Hashable, Sendable {
  /// Its id: of the rule, the number of the input, and how many of it that input had before.
  public let id: String
  /// When, µs since 1970.
  public let wall: Int64
  /// The id of the rule that ran.
  public let rule: String
  /// What the rule said then.
  public let hash: String
  /// What has started it.
  public let cause: HomeCause
  /// The conditions with their results.
  public let conditions: [String]
  /// The names of its actions.
  public let actions: [String]

  var json: JSONValue {
    [
      "type": "firing", "id": .string(id), "time": HomeTime.json(wall), "rule": .string(rule),
      "hash": .string(hash), "cause": cause.json,
      "conditions": .array(conditions.map { .string($0) }),
      "actions": .array(actions.map { .string($0) }),
    ]
  }
}
