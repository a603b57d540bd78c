import LunaJSON

/// What has started a rule.
public struct HomeCause: Hashable, Sendable, Codable {
  /// The trigger's name in the file.
  public let trigger: String
  /// The number of the input.
  public let input: Int64
  /// The tracker; nil for none.
  public let tracker: String?
  /// What was compared, or the place, in words.
  public let detail: String
  /// The value of the property.
  public var value: PropertyValue?
  /// Whether it happened while nobody looked, as before a restart.
  public var late = false
  /// The rules before it in the chain.
  var chain: [String] = []

  var json: JSONValue {
    var object: JSONObject = ["trigger": .string(trigger), "input": .integer(input)]
    if let tracker { object.append("tracker", .string(tracker)) }
    if !detail.isEmpty { object.append("detail", .string(detail)) }
    if late { object.append("late", true) }
    return .object(object)
  }
}
