import LunaJSON

/// How a property of a tracker is kept (HOME.md 4).
struct ManagedProperty: Sendable {
  let name: String
  /// After so long a value is stale; nil for never.
  let maxAge: HomeDuration?
  let minChange: Double
  /// Whether it is one of those that are known by themselves.
  let isBuiltIn: Bool
  /// What it is called by programs: `bool`, `number`, `text`, `enum`, `time` or `color`.
  let type: String
  let unit: String?
  let range: (least: Double?, most: Double?)
  /// What can be done with it: names and values.
  let actions: [(name: String, value: PropertyValue)]
  /// The topic that its values come from, and where in the message they are.
  let source: (topic: String, path: String)?
  /// The topic that values go to that are set.
  let sink: String?

  /// Whether somebody may set it.
  var canBeSet: Bool { !isBuiltIn }

  /// Whether it can have a value; false for one that is out of its range or of another type.
  func takes(_ value: PropertyValue) -> Bool {
    switch (type, value) {
    case ("bool", .bool), ("text", .text), ("time", .text), ("color", .text): return true
    case ("number", .number(let number)):
      return number >= range.least ?? -.infinity && number <= range.most ?? .infinity
    case ("enum", _): return actions.isEmpty || actions.contains { $0.value == value }
    default: return false
    }
  }

  /// Whether the file says itself, by a range or by the values of its actions, that it cannot have a value.
  func refuses(_ value: PropertyValue) -> Bool {
    let hasRange = range.least != nil || range.most != nil
    return (type == "enum" || type == "number" && hasRange) && !takes(value)
  }

  /// A text of a message as a value of its type.
  func value(of payload: String) -> PropertyValue {
    // Of several words one may look like a number.
    if type == "enum", actions.contains(where: { $0.value == .text(payload) }) {
      return .text(payload)
    }
    let json = (try? JSONReader.read(Array(payload.utf8))).flatMap { PropertyValue($0) }
    switch (type, json) {
    case ("text", _), ("time", _), ("color", _):
      if case .text(let text)? = json { return .text(text) }
      return .text(payload)
    default: return json ?? .text(payload)
    }
  }

  private static let builtIn: Set = [
    "battery", "batteryLow", "rssi", "present", "location", "zone", "zones", "lastSeen", "heardBy",
    "drift", "clockDaysLeft", "connectable", "separated", "sound", "firmware", "family",
    "identifier",
  ]

  private static let day = HomeDuration.seconds(86_400)

  /// Those that are known by themselves, made once: they are asked for at every input.
  private static let usual = Dictionary(
    uniqueKeysWithValues: builtIn.map { ($0, ManagedProperty($0)) })

  /// What is known of a property that no model manages.
  static func unmanaged(_ name: String) -> ManagedProperty { usual[name] ?? ManagedProperty(name) }

  /// What is known of a built-in property, or of one that says nothing of it.
  init(_ name: String, _ node: SourceNode? = nil) {
    self.name = name
    let (age, change): (HomeDuration?, Double) =
      switch name {
      case "battery", "batteryLow": (.seconds(7 * 86_400), 0)
      case "rssi": (.seconds(60), 5)
      case "location": (ManagedProperty.day, 10)
      case "zone", "zones": (ManagedProperty.day, 0)
      case "drift": (ManagedProperty.day, 0.5)
      case "clockDaysLeft": (ManagedProperty.day, 1)
      case "connectable", "separated": (.seconds(120), 0)
      case "sound": (.seconds(60), 0)
      default: (nil, 0)
      }
    maxAge = node?["maxAge"]?.duration ?? age
    minChange = node?["minChange"]?.number ?? change
    isBuiltIn = ManagedProperty.builtIn.contains(name)
    let actions: [(name: String, value: PropertyValue)] = (node?["actions"]?.elements ?? [])
      .compactMap { action in
        guard let name = action["name"]?.text,
          let value = action["value"].flatMap({ PropertyValue($0.json) })
        else { return nil }
        return (name, value)
      }
    self.actions = actions
    let (least, most) = (node?["min"]?.number, node?["max"]?.number)
    range = (least, most)
    // Typed by the type, else by a range or the values of the actions, else it is a text.
    type =
      node?["type"]?.text
      ?? (least ?? most != nil ? "number" : actions.isEmpty ? "text" : "enum")
    unit = node?["unit"]?.text
    source = node?["source"]?["mqtt"]?.text.map { ($0, node?["source"]?["path"]?.text ?? "") }
    sink = node?["sink"]?["mqtt"]?.text
  }
}
