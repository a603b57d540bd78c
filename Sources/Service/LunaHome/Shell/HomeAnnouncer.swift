import LunaCore
import LunaJSON
import MQTT
import SafeText

/// What a broker is told of a home (HOME.md 9): a value, so that every message can be looked at.
struct HomeAnnouncer: Sendable {
  let topics: HomeTopics
  private let places: [String: String]
  private var entries: [String: TrackerEntry] = [:]
  /// By what trackers are known in topics and by Home Assistant.
  private let levels: [String: String]
  /// What stands at the broker, by topic.
  private(set) var retained: [String: [UInt8]] = [:]

  init(_ topics: HomeTopics, _ configuration: HomeConfiguration) {
    self.topics = topics
    places = Dictionary(configuration.places.map { ($0.id, $0.name) }) { first, _ in first }
    levels = HomeAnnouncer.levels(of: configuration.trackers.map(\.id))
    for entry in configuration.trackers where entry.id != "self" { entries[entry.id] = entry }
  }

  var greeting: MQTTMessage { MQTTMessage(topics.status, "online", isRetained: true) }
  var farewell: MQTTMessage { MQTTMessage(topics.status, "offline", isRetained: true) }

  /// The tracker of a level of a topic.
  func tracker(_ level: String) -> String? {
    entries.keys.first { levels[$0] == level }
  }

  /// The levels of those that the broker is told of.
  var announced: Set<String> {
    Set(entries.values.filter { $0.precision != .off }.map { levels[$0.id] ?? $0.id })
  }

  private func level(_ tracker: HomeTracker) -> String { levels[tracker.id] ?? tracker.id }

  /// What makes trackers known.
  mutating func begin(_ trackers: [HomeTracker]) -> [MQTTMessage] {
    var messages = [greeting]
    for tracker in trackers {
      guard let entry = entries[tracker.id] else { continue }
      messages += withdrawals(of: level(tracker), entry.precision)
      guard entry.precision != .off else { continue }
      messages += put(topics.discovery(of: level(tracker)), discovery(tracker, entry))
      messages += state(tracker)
    }
    return messages
  }

  /// Takes back what is not to be told: it may have been before the file was changed, and the broker keeps it.
  private func withdrawals(
    of level: String, _ precision: TrackerEntry.Precision
  ) -> [MQTTMessage] {
    let hidden: [String]
    switch precision {
    case .exact: hidden = []
    case .zone: hidden = [topics.part("attributes", of: level)]
    case .off: hidden = topics.all(of: level)
    }
    return hidden.map { MQTTMessage($0, [UInt8](), isRetained: true) }
  }

  /// How a tracker is now, as far as the broker does not have it.
  mutating func state(_ tracker: HomeTracker) -> [MQTTMessage] {
    guard let entry = entries[tracker.id], entry.precision != .off else { return [] }
    var state = JSONObject()
    for value in tracker.values where value.name != "location" {
      state.append(value.name, value.isFresh || value.name == "lastSeen" ? value.value : .null)
    }
    var messages = put(topics.part("state", of: level(tracker)), .object(state))
    if tracker["zone"] != nil {
      messages += put(topics.part("zone", of: level(tracker)), text: zone(tracker))
    }
    if entry.precision == .exact, let location = tracker["location"],
      case .object(let place) = location.value
    {
      // An old place is taken back: where no zone is known, Home Assistant tells one by what stands there.
      var attributes: JSONValue = ["latitude": .null, "longitude": .null]
      if location.isFresh {
        attributes = [
          "latitude": place["latitude"] ?? .null, "longitude": place["longitude"] ?? .null,
          "gps_accuracy": place["accuracy"] ?? .null,
        ]
      }
      messages += put(topics.part("attributes", of: level(tracker)), attributes)
    }
    let health: JSONValue = [
      "battery": fresh("battery", tracker), "drift": fresh("drift", tracker),
      "clockDaysLeft": fresh("clockDaysLeft", tracker), "firmware": fresh("firmware", tracker),
    ]
    return messages + put(topics.part("health", of: level(tracker)), health)
  }

  private func fresh(_ name: String, _ tracker: HomeTracker) -> JSONValue {
    tracker[name].flatMap { $0.isFresh ? $0.value : nil } ?? .null
  }

  /// In the words of Home Assistant: silence is never `not_home`.
  private func zone(_ tracker: HomeTracker) -> String {
    guard let zone = tracker["zone"], zone.isFresh, case .string(let id) = zone.value else {
      return "None"
    }
    switch id {
    case "away": return "not_home"
    case "unknown": return "None"
    case "home": return "home"
    default: return places[id] ?? id
    }
  }

  private mutating func put(_ topic: String, _ json: JSONValue) -> [MQTTMessage] {
    put(topic, bytes: json.bytes)
  }

  private mutating func put(_ topic: String, text: String) -> [MQTTMessage] {
    put(topic, bytes: Array(text.utf8))
  }

  private mutating func put(_ topic: String, bytes: [UInt8]) -> [MQTTMessage] {
    guard retained[topic] != bytes else { return [] }
    retained[topic] = bytes
    return [MQTTMessage(topic, bytes, isRetained: true)]
  }

  /// What takes away all that another file does not have any more.
  func withdrawals(for other: HomeAnnouncer) -> [MQTTMessage] {
    retained.keys.filter { other.retained[$0] == nil }.sorted().map {
      MQTTMessage($0, [UInt8](), isRetained: true)
    }
  }

  /// What takes away all that homes before this one have told and this one does not.
  ///
  /// - Parameter earlier: the levels of trackers, by what their topics begin with.
  func withdrawals(after earlier: [String: Set<String>]) -> [MQTTMessage] {
    var gone: Set<String> = []
    for (base, levels) in earlier {
      let topics = HomeTopics(base: base)
      let isAnother = base != self.topics.base
      if isAnother { gone.insert(topics.status) }
      for level in isAnother ? levels : levels.subtracting(announced) {
        gone.formUnion(topics.all(of: level))
      }
    }
    // The discovery of one may be called as that of another, under another base.
    return gone.subtracting(retained.keys).sorted().map {
      MQTTMessage($0, [UInt8](), isRetained: true)
    }
  }

  private func discovery(_ tracker: HomeTracker, _ entry: TrackerEntry) -> JSONValue {
    let id = topics.identifier(of: level(tracker))
    let state = topics.part("state", of: level(tracker))
    var parts = JSONObject()
    func add(_ key: String, _ platform: JSONValue, _ members: JSONObject) {
      var part: JSONObject = ["p": platform, "unique_id": .string("\(id)_\(key)")]
      for member in members.members { part.append(member.name, member.value) }
      parts.append(key, .object(part))
    }
    if tracker["zone"] != nil {
      var members: JSONObject = [
        "name": .null, "src_type": "gps",
        "stat_t": .string(topics.part("zone", of: level(tracker))),
      ]
      if entry.precision == .exact {
        members.append("json_attr_t", .string(topics.part("attributes", of: level(tracker))))
      }
      add("location", "device_tracker", members)
    }
    if tracker["present"] != nil {
      add(
        "present", "binary_sensor",
        [
          "name": "Present", "dev_cla": "connectivity", "stat_t": .string(state),
          "val_tpl":
            "{{ {'yes': 'ON', 'no': 'OFF'}.get(value_json['present'], 'None') }}",
        ])
    }
    if tracker["batteryLow"] != nil {
      add(
        "batteryLow", "binary_sensor",
        [
          "name": "Battery", "dev_cla": "battery", "stat_t": .string(state),
          "val_tpl":
            "{{ 'None' if value_json['batteryLow'] is none else 'ON' if value_json['batteryLow'] else 'OFF' }}",
        ])
    }
    if tracker["rssi"] != nil {
      add(
        "rssi", "sensor",
        [
          "name": "Signal", "dev_cla": "signal_strength", "unit_of_meas": "dBm",
          "stat_cla": "measurement", "en": false, "stat_t": .string(state),
          "val_tpl": HomeAnnouncer.template("rssi"),
        ])
    }
    if tracker["lastSeen"] != nil {
      add(
        "lastSeen", "sensor",
        [
          "name": "Last seen", "dev_cla": "timestamp", "stat_t": .string(state),
          "val_tpl": HomeAnnouncer.template("lastSeen"),
        ])
    }
    if tracker.actions.contains("turn_on") {
      add(
        "sound", "button",
        [
          "name": "Sound", "cmd_t": .string(topics.part("do", of: level(tracker))),
          "pl_prs": "turn_on",
        ])
    }
    let names = entry.propertyNames.filter { entry.properties[$0]?.isBuiltIn == false }
    let keys = HomeAnnouncer.levels(of: names)
    for name in names {
      guard let property = entry.properties[name], let key = keys[name] else { continue }
      let (platform, members) = custom(name, property, tracker, state)
      add("custom_" + key, platform, members)
    }
    return [
      "dev": [
        "ids": [.string(id)], "name": .string(tracker.name), "mdl": .string(tracker.model),
        "mf": "Luna",
      ],
      "o": ["name": "luna", "sw": .string(LunaVersion.text)],
      "avty": [["t": .string(topics.status)]], "avty_mode": "all", "qos": 1,
      "cmps": .object(parts),
    ]
  }

  /// By what trackers and properties of these names are known, and what is kept of them by that. Of names in other
  /// letters no more than their length is left of a level: those that are alike then are told apart by all of the name,
  /// never by a number, which would be another one's when one comes or goes before it.
  private static func levels(of names: [String]) -> [String: String] {
    let alike = Dictionary(grouping: Set(names)) { BrokerSetup.level($0) }
    var levels: [String: String] = [:]
    for (level, names) in alike {
      for name in names {
        levels[name] =
          names.count == 1 || name == level
          ? level : "\(level)_\(Rule.hash(Array(name.utf8)))"
      }
    }
    return levels
  }

  private func custom(
    _ name: String, _ property: ManagedProperty, _ tracker: HomeTracker, _ state: String
  ) -> (platform: JSONValue, members: JSONObject) {
    let isWord = property.type == "enum"
    var members: JSONObject = [
      "name": .string(name), "stat_t": .string(state),
      "val_tpl": isWord ? HomeAnnouncer.wordTemplate(name) : HomeAnnouncer.template(name),
    ]
    let set: JSONValue = .string(topics.part("set", of: level(tracker)) + "/" + name)
    switch property.type {
    case "bool":
      members.append("cmd_t", set)
      members.append("pl_on", "true")
      members.append("pl_off", "false")
      members.append("stat_on", "True")
      members.append("stat_off", "False")
      return ("switch", members)
    case "number":
      members.append("cmd_t", set)
      // Where nothing is said, Home Assistant takes no number below 1 or above 100, and not the part at all where
      // its other end is beyond those.
      members.append("min", .real(property.range.least ?? -1e9))
      members.append("max", .real(property.range.most ?? 1e9))
      members.append("step", .real(0.1))
      if let unit = property.unit { members.append("unit_of_meas", .string(unit)) }
      return ("number", members)
    case "enum":
      members.append("cmd_t", set)
      members.append(
        "options", .array(property.actions.map { .string(HomeAnnouncer.text($0.value)) }))
      return ("select", members)
    default: return ("sensor", members)
    }
  }

  /// What finds the value of a property in the state of a tracker, whatever it is called.
  private static func template(_ name: String) -> JSONValue {
    .string("{{ \(variable(name)) }}")
  }

  /// The same for one of several words: `true` is one, and not written as Python does.
  private static func wordTemplate(_ name: String) -> JSONValue {
    let value = variable(name)
    return .string("{{ \(value) | lower if \(value) is boolean else \(value) }}")
  }

  private static func variable(_ name: String) -> String {
    let name = name.replacing(text: "\\", with: "\\\\").replacing(text: "'", with: "\\'")
    return "value_json['\(name)']"
  }

  private static func text(_ value: PropertyValue) -> String {
    if case .text(let text) = value { text } else { value.json.description }
  }
}
