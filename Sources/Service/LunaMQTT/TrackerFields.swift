import Bluetooth
import LunaCore
import LunaJSON
import MQTT

/// What is published of a tracker: each value under a topic of its own, and the entities that show
/// them. The names of the values are those that receivers usually use (`rssi`, `battery_ok`).
enum TrackerFields {
  static let state = "state"
  static let attributes = "attributes"
  static let ring = "ring"
  /// All values that a broker retains.
  static let all = [state, attributes, "rssi", "battery_ok", "last_seen", "drift"]

  static let home = "home", notHome = "not_home"

  /// The entities of a tracker.
  ///
  /// - Parameter rings: whether it can be made to sound.
  static func entities(_ id: String, _ topics: HomeTopics, rings: Bool) -> [HomeEntity] {
    func value(_ field: String) -> JSONValue { .string(topics.value(field, of: id)) }
    let diagnostic = JSONValue.string("diagnostic")
    var entities = [
      HomeEntity(
        component: .deviceTracker, key: "presence", name: nil,
        members: [
          "state_topic": value(state), "payload_home": .string(home),
          "payload_not_home": .string(notHome), "source_type": "bluetooth_le",
          "json_attributes_topic": value(attributes),
        ]),
      HomeEntity(
        component: .sensor, key: "rssi", name: "Signal strength",
        members: [
          "state_topic": value("rssi"), "device_class": "signal_strength",
          "unit_of_measurement": "dBm", "state_class": "measurement",
          "entity_category": diagnostic,
        ]),
      HomeEntity(
        component: .binarySensor, key: "battery", name: "Battery",
        members: [
          // On means that it is low.
          "state_topic": value("battery_ok"), "device_class": "battery", "payload_on": "0",
          "payload_off": "1", "entity_category": diagnostic,
        ]),
      HomeEntity(
        component: .sensor, key: "last_seen", name: "Last seen",
        members: [
          "state_topic": value("last_seen"), "device_class": "timestamp",
          "entity_category": diagnostic,
        ]),
      HomeEntity(
        component: .sensor, key: "drift", name: "Clock drift",
        members: [
          "state_topic": value("drift"), "device_class": "duration",
          "unit_of_measurement": "s", "state_class": "measurement",
          "entity_category": diagnostic,
        ]),
    ]
    guard rings else { return entities }
    entities.append(
      HomeEntity(
        component: .button, key: "ring", name: "Ring",
        members: [
          "command_topic": .string(topics.command(ring, for: id)), "payload_press": "PRESS",
          "icon": "mdi:bell-ring",
        ]))
    return entities
  }

  /// The values of a tracker that was heard.
  static func values(
    _ id: String, _ state: LocalDevice.State, drift: Double?, _ topics: HomeTopics
  ) -> [MQTTMessage] {
    var values: [(String, String)] = []
    if let rssi = state.rssi { values.append(("rssi", String(Int(rssi)))) }
    if let isLow = state.batteryLowLevel { values.append(("battery_ok", isLow ? "0" : "1")) }
    if let seen = state.lastSeenDate { values.append(("last_seen", seen.rfc3339)) }
    if let drift { values.append(("drift", thousandths(drift).description)) }
    return values.map { MQTTMessage(topics.value($0, of: id), $1, isRetained: true) }
  }

  /// What else is known of it.
  ///
  /// - Parameter state: nil where it was not heard.
  static func attributes(
    _ id: String, _ name: String, _ state: LocalDevice.State?, isHome: Bool, _ topics: HomeTopics
  ) -> MQTTMessage {
    var object: JSONObject = [
      "id": .string(id), "name": .string(name),
      // What Home Assistant has put in the place of the state topic, which it is going to give up
      // (https://github.com/home-assistant/core/pull/172660); to older ones it is one more attribute.
      "in_zones": .array(isHome ? ["zone.home"] : []),
    ]
    guard let state else {
      return MQTTMessage(
        topics.value(attributes, of: id), JSONValue.object(object).bytes, isRetained: true)
    }
    if let address = state.address, state.addressType.hasAddress {
      object.append("address", .string(address.description))
    }
    if let isConnectable = state.connectable { object.append("connectable", .bool(isConnectable)) }
    if let isSeparated = state.separated { object.append("separated", .bool(isSeparated)) }
    if let clock = state.clock {
      object.append("clock_low", thousandths(clock.low))
      object.append("clock_high", thousandths(clock.high))
    }
    return MQTTMessage(
      topics.value(attributes, of: id), JSONValue.object(object).bytes, isRetained: true)
  }

  private static func thousandths(_ seconds: Double) -> JSONValue {
    let value = (seconds * 1000).rounded() / 1000
    return value.isFinite ? .real(value) : .null
  }
}
