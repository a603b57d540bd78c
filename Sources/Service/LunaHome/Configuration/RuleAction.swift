import LunaJSON

/// What a rule does.
struct RuleAction: Sendable {
  /// Its name in the file.
  let name: String
  /// What it is given, as the file has it.
  let parameters: JSONValue
  /// A tracker or tag; nil for the tracker of the trigger.
  let who: String?
  /// For `wait`.
  let duration: HomeDuration?
  /// For `set`.
  let property: String?
  let value: PropertyValue?
  /// For `rule`.
  let rule: String?
  let isSnooze: Bool

  init?(_ node: SourceNode) {
    guard let member = node.members.first else { return nil }
    let inner = member.value
    name = member.name
    parameters = inner.json
    who = inner["who"]?.text
    duration = name == "wait" ? inner.duration : name == "rule" ? inner["for"]?.duration : nil
    property = inner["property"]?.text
    value = inner["value"].flatMap { PropertyValue($0.json) }
    rule = inner["id"]?.text
    isSnooze = inner["do"]?.text != "resume"
  }
}

extension RuleAction {
  /// For `notify`: who is told; empty for the default ones.
  var recipients: [String] {
    guard case .object(let object) = parameters else { return [] }
    switch object["to"] {
    case .string(let one)?: return [one]
    case .array(let several)?:
      return several.compactMap { if case .string(let one) = $0 { one } else { nil } }
    default: return []
    }
  }

  /// For `notify`: how loud; nil for as loud as the rule.
  var level: String? {
    guard case .object(let object) = parameters, case .string(let level)? = object["level"] else {
      return nil
    }
    return level
  }
}
