import LunaJSON

/// What is to happen when something has happened.
struct Rule: Sendable {
  let id: String
  let name: String
  let isEnabled: Bool
  let triggers: [Trigger]
  let condition: Condition?
  let actions: [RuleAction]
  let lasting: HomeDuration?
  let cooldown: HomeDuration
  let maxPerHour: Int
  let level: String
  let quiet: String
  /// What it says, as a number: another one makes it another rule.
  let hash: String

  init?(_ node: SourceNode, _ zones: ZoneBook) {
    guard let id = node["id"]?.text else { return nil }
    self.id = id
    name = node["name"]?.text ?? id
    isEnabled = node["enabled"]?.bool ?? true
    triggers = (node["when"]?.elements ?? []).compactMap { Trigger($0, zones) }
    condition = node["if"].flatMap { Condition($0, zones) }
    actions = (node["then"]?.elements ?? []).compactMap { RuleAction($0) }
    lasting = node["for"]?.duration
    cooldown = node["cooldown"]?.duration ?? .seconds(300)
    maxPerHour = Int(node["maxPerHour"]?.integer ?? 60)
    level = node["level"]?.text ?? "info"
    quiet = node["quiet"]?.text ?? "deliver"
    hash = Rule.hash(node.json.bytes)
  }

  /// FNV-1a of 64 bits, in hexadecimal.
  static func hash(_ bytes: [UInt8]) -> String {
    let value = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
