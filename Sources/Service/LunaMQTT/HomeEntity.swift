import LunaJSON
import MQTT

/// One thing that Home Assistant shows of a device, and how it finds it: a message of its MQTT
/// discovery (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery).
struct HomeEntity: Sendable {
  /// The kinds of entities that are used.
  enum Component: String, CaseIterable, Sendable {
    case deviceTracker = "device_tracker"
    case sensor
    case binarySensor = "binary_sensor"
    case button
  }

  let component: Component
  /// Tells it from the others of its device.
  let key: String
  /// What a person reads; nil for the name of the device itself.
  let name: String?
  /// What only this kind of entity has.
  let members: JSONObject

  /// The message that makes it known.
  ///
  /// - Parameters:
  ///   - device: tells the device from all others.
  ///   - about: the device, for Home Assistant's registry.
  func announcement(
    of device: String, _ about: JSONObject, _ topics: HomeTopics, under prefix: String
  ) -> MQTTMessage {
    var object: JSONObject = [
      "name": name.map { .string($0) } ?? .null,
      "unique_id": .string("\(device)_\(key)"),
      "default_entity_id": .string("\(component.rawValue).\(device)_\(key)"),
      // What it was called before Home Assistant 2025.10.
      "object_id": .string("\(device)_\(key)"),
      "availability_topic": .string(topics.availability),
      "device": .object(about),
      "origin": .object(["name": .string("luna")]),
    ]
    for member in members.members { object.append(member.name, member.value) }
    return MQTTMessage(
      topic(of: device, under: prefix), JSONValue.object(object).bytes, isRetained: true)
  }

  /// The message that takes it away.
  func withdrawal(of device: String, under prefix: String) -> MQTTMessage {
    MQTTMessage(topic(of: device, under: prefix), [], isRetained: true)
  }

  private func topic(of device: String, under prefix: String) -> String {
    "\(prefix)/\(component.rawValue)/\(device)/\(key)/config"
  }
}
