import Bluetooth
import LunaCore
public import LunaFinder
import LunaJSON
import LunaProtocol
public import MQTT

/// What a home is told of a gateway: how it works, not whom it hears. Trackers of others have a new
/// name every few minutes, which only their owners can tell apart. A value, as ``TrackerHome``.
public struct GatewayHome: Sendable {
  private let topics: HomeTopics
  private var tally = FinderTally()

  /// A gateway that was not heard of yet, under these topics.
  public init(_ topics: HomeTopics) { self.topics = topics }

  /// What is said last, and by the broker when nothing can be said any more.
  public var farewell: MQTTMessage { MQTTMessage(topics.availability, "offline", isRetained: true) }

  /// It begins.
  public func begin(_ name: String) -> [MQTTMessage] {
    var messages: [MQTTMessage] = []
    if let prefix = topics.discovery {
      let device = topics.identifier
      let about: JSONObject = [
        "identifiers": .array([.string(device)]), "name": .string(name), "manufacturer": "Luna",
        "model": "Gateway",
      ]
      messages = entities.map { $0.announcement(of: device, about, topics, under: prefix) }
    }
    return messages + [MQTTMessage(topics.availability, "online", isRetained: true)]
  }

  private var entities: [HomeEntity] {
    func value(_ field: String) -> JSONValue { .string(topics.value(field)) }
    func sensor(_ key: String, _ name: String, _ more: JSONObject) -> HomeEntity {
      var members: JSONObject = ["state_topic": value(key), "entity_category": "diagnostic"]
      members.members += more.members
      return HomeEntity(component: .sensor, key: key, name: name, members: members)
    }
    let counts: JSONObject = ["state_class": "total_increasing"]
    return [
      sensor("state", "State", ["icon": "mdi:bluetooth"]),
      sensor("sightings", "Sightings", counts), sensor("uploaded", "Uploaded", counts),
      sensor("dropped", "Lost", counts),
      sensor("waiting", "Waiting", ["state_class": "measurement"]),
      HomeEntity(
        component: .binarySensor, key: "backend", name: "Backend",
        members: [
          "state_topic": value("backend"), "device_class": "connectivity",
          "entity_category": "diagnostic",
        ]),
    ]
  }

  /// Something happened.
  public mutating func take(_ update: FinderUpdate) -> [MQTTMessage] {
    tally.take(update)
    switch update {
    case .state(let state): return [value("state", GatewayHome.word(state))]
    case .found(let heid, let rssi, let time):
      var event: JSONObject = [
        "type": "sighting", "time": .string(time.rfc3339), "heid": .string(heid.description),
      ]
      if let rssi { event.append("rssi", .integer(Int64(rssi))) }
      return [
        value("sightings", "\(tally.found)"),
        MQTTMessage(topics.events, JSONValue.object(event).bytes),
      ]
    case .uploaded(let summary):
      return [
        value("uploaded", "\(tally.uploaded)"), value("waiting", "\(summary.waiting)"),
        value("backend", "ON"),
      ]
    case .uploadFailed: return [value("backend", "OFF")]
    case .dropped: return [value("dropped", "\(tally.lost)")]
    case .listening, .recovery, .queueRenewed, .entered, .exited, .located, .unlocated,
      .commandStarted,
      .commandEnded, .confirmed, .ended, .problem:
      return []
    }
  }

  private func value(_ field: String, _ text: String) -> MQTTMessage {
    MQTTMessage(topics.value(field), text, isRetained: true)
  }

  private static func word(_ state: FinderState) -> String {
    switch state {
    case .listening: "listening"
    case .recovering: "recovering"
    case .lost: "lost"
    case .underAttack: "under_attack"
    }
  }
}
