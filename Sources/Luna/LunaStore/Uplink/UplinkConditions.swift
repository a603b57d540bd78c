package import LunaJSON

/// What a result of an uplink check was made under: enough to make it again of its samples.
package struct UplinkConditions: Sendable {
  /// Whose rule it was judged by.
  package var rule: String
  /// The limits of the rule, by name.
  package var thresholds = JSONObject()
  /// What all chance came from; nil without any.
  package var seed: UInt64?
  /// The kind of link, as a word; nil where nobody knows.
  package var link: String?
  /// Where the check came from; nil where nobody knows.
  package var address: CutAddress?

  /// Conditions of which only the rule is known yet.
  package init(rule: String) { self.rule = rule }

  /// They, as they are kept. The seed is text: readers of JSON may keep 53 bits of a number.
  package var json: JSONValue {
    var members: JSONObject = ["rule": .string(rule), "thresholds": .object(thresholds)]
    if let seed { members.append("seed", .string(String(seed))) }
    if let link { members.append("link", .string(link)) }
    if let address {
      members.append("ipVersion", .integer(Int64(address.version)))
      members.append("address", .string(address.description))
    }
    return .object(members)
  }
}
