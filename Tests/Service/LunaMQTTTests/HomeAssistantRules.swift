import LunaJSON
import LunaMQTT
import MQTT
import Testing

/// What Home Assistant asks of a message of its MQTT discovery, written down from its documentation:
/// https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery and the pages of the integrations
/// (device_tracker.mqtt, sensor.mqtt, binary_sensor.mqtt, button.mqtt): "Configuration variables".
enum HomeAssistantRules {
  /// By component: the keys that are required, and those that are known.
  static let components: [String: (required: [String], known: [String])] = [
    "device_tracker": (
      ["state_topic"],
      ["json_attributes_topic", "payload_home", "payload_not_home", "source_type", "icon"]
    ),
    "sensor": (
      ["state_topic"],
      [
        "device_class", "state_class", "unit_of_measurement", "expire_after", "value_template",
        "icon",
      ]
    ),
    "binary_sensor": (
      ["state_topic"],
      ["device_class", "payload_on", "payload_off", "expire_after", "off_delay", "icon"]
    ),
    "button": (["command_topic"], ["payload_press", "device_class", "retain", "icon"]),
  ]

  /// Keys that every component has.
  static let common = [
    "name", "unique_id", "default_entity_id", "object_id", "availability_topic", "device", "origin",
    "entity_category",
    "qos", "enabled_by_default",
  ]

  /// Of the device: at least one of these.
  static let identities = ["identifiers", "connections"]
  static let device =
    identities + [
      "name", "manufacturer", "model", "sw_version", "hw_version", "suggested_area", "via_device",
      "configuration_url",
    ]

  /// The units of device classes that are used, and the words that a key may have.
  static let units = ["signal_strength": ["dBm", "dB"], "duration": ["s", "d", "h", "min", "ms"]]
  static let words = [
    "source_type": ["bluetooth_le", "bluetooth", "gps", "router"],
    "state_class": ["measurement", "total", "total_increasing"],
    "entity_category": ["diagnostic", "config"],
  ]

  /// Checks an announcement; returns its component and content.
  static func check(
    _ message: MQTTMessage, prefix: String
  ) throws -> (component: String, content: JSONObject) {
    // <discovery_prefix>/<component>/[<node_id>/]<object_id>/config, of [a-zA-Z0-9_-].
    let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
    #expect(levels.count == 5 && levels.first == Substring(prefix) && levels.last == "config")
    for level in levels.dropFirst(2).dropLast() {
      #expect(!level.isEmpty)
      #expect(
        level.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) },
        "\(level)")
    }
    #expect(message.isRetained)
    let component = String(levels[1])
    let rules = try #require(components[component], "\(component)")
    guard case .object(let content) = try JSONReader.read(message.payload) else {
      throw Missing(key: "an object")
    }
    let keys = content.members.map(\.name)
    for key in rules.required + ["unique_id", "device", "availability_topic"] {
      guard keys.contains(key) else { throw Missing(key: key) }
    }
    for key in keys { #expect((common + rules.known + rules.required).contains(key), "\(key)") }
    #expect(Set(keys).count == keys.count)
    // An entity's name has its component in front; object_id, which it had before 2025.10, has not.
    guard case .string(let name)? = content["default_entity_id"],
      case .string(let object)? = content["object_id"]
    else { throw Missing(key: "default_entity_id") }
    #expect(name == "\(component).\(object)")
    guard case .object(let device)? = content["device"] else { throw Missing(key: "device") }
    #expect(device.members.contains { identities.contains($0.name) })
    for key in device.members.map(\.name) { #expect(self.device.contains(key), "\(key)") }
    // "Required when device is set": the origin needs a name.
    if case .object(let origin)? = content["origin"] { #expect(origin["name"] != nil) }
    for (key, allowed) in words {
      if case .string(let word)? = content[key] { #expect(allowed.contains(word), "\(word)") }
    }
    if case .string(let kind)? = content["device_class"], let allowed = units[kind],
      component == "sensor"
    {
      guard case .string(let unit)? = content["unit_of_measurement"] else {
        throw Missing(key: "unit_of_measurement")
      }
      #expect(allowed.contains(unit))
    }
    return (component, content)
  }

  struct Missing: Error { let key: String }
}
