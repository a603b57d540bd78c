public import LunaJSON

/// Something that is to be done for a rule.
public struct HomeActionRequest: Hashable, Sendable {
  /// When a message goes out.
  public enum Delivery: Hashable, Sendable {
    /// At once.
    case now
    /// When the quiet hours of those it is for are over.
    case delayed
  }

  /// The id of the ``HomeFiring`` that it belongs to.
  public let firing: String
  /// The id of the rule that asks for it.
  public let rule: String
  /// How loud it is: as the action says, else as the rule.
  public let level: String
  /// What has started the rule.
  public let cause: HomeCause
  /// The place of the action in the rule, from 0.
  public let index: Int
  /// When, µs since 1970.
  public let wall: Int64
  /// The action's name in the file.
  public let name: String
  /// What it is given, as the file has it.
  public let parameters: JSONValue
  /// The trackers that are meant.
  public let trackers: [String]
  /// For `notify`: who, and when.
  public let recipients: [String]
  /// When those are told.
  public let delivery: Delivery
  /// Where the tracker of the trigger was last, as far as that is known.
  public let fix: Fix?

  var json: JSONValue {
    var object: JSONObject = [
      "type": "action", "firing": .string(firing), "index": .integer(Int64(index)),
      "time": HomeTime.json(wall), "action": .string(name), "parameters": parameters,
      "trackers": .array(trackers.map { .string($0) }),
    ]
    if name == "notify" {
      object.append("recipients", .array(recipients.map { .string($0) }))
      object.append("delayed", .bool(delivery == .delayed))
    }
    return .object(object)
  }
}
