public import Bluetooth
public import LunaCore
import LunaDocuments
import LunaJSON
public import LunaLocal
public import LunaProtocol
public import MQTT

/// What a home is told of one's own trackers. A value: it takes what happens and returns what is to be
/// published.
public struct TrackerHome: Sendable {
  private struct Tracker {
    let id: String
    var name: String
    /// Nil until it was heard, or missed for long enough.
    var isHome: Bool?
    var told: Duration?
  }

  /// Between two messages on the signal of a tracker, at least.
  public static let interval: Duration = .seconds(10)

  private let topics: HomeTopics
  private let filter: HomeFilter
  private let timeout: Duration
  private let rings: Bool
  private var trackers: [DeviceUUID: Tracker] = [:]
  /// What the store calls its trackers, as far as it was asked: who is followed keeps an old name.
  private var names: [DeviceUUID: String] = [:]
  /// Those that the store has no more: what is heard of them all the same is not told.
  private var forgotten: Set<DeviceUUID> = []
  /// Those that the broker was told of, in this run or an earlier one, and does not know yet to be gone.
  private(set) var announced: Set<DeviceUUID> = []
  /// Those of them that were taken back.
  private(set) var withdrawn: Set<DeviceUUID> = []
  /// How often one was announced or taken back.
  private(set) var announcements = 0
  /// Since when trackers can be heard.
  private var listensSince: Duration?
  /// Since when they cannot; nil while the radio works.
  private var deafSince: Duration?
  /// Whether a home was told that nothing is known.
  private var isUnavailable = false

  /// - Parameters:
  ///   - timeout: after which a tracker that was not heard is away.
  ///   - rings: whether trackers can be made to sound.
  public init(_ topics: HomeTopics, filter: HomeFilter, timeout: Duration, rings: Bool) {
    self.topics = topics
    self.filter = filter
    self.timeout = timeout
    self.rings = rings
  }

  /// The topics at which commands come; nil when there are none.
  public var commands: String? { rings ? topics.command(TrackerFields.ring, for: "+") : nil }

  /// What is said last, and by the broker when nothing can be said any more.
  public var farewell: MQTTMessage { MQTTMessage(topics.availability, "offline", isRetained: true) }

  /// It begins, with the trackers that are known.
  public mutating func begin(_ devices: [Device], at elapsed: Duration) -> [MQTTMessage] {
    listensSince = elapsed
    var messages: [MQTTMessage] = []
    for device in devices {
      if filter.admits(device.uuid) {
        messages += announce(device.uuid, device.name)
      } else {
        messages += withdraw(device.uuid)
      }
    }
    return messages + [greeting]
  }

  /// The same where it is known whom earlier runs have told of: nobody else is taken back.
  ///
  /// - Parameter all: the trackers of the store; `devices` are those that are followed.
  mutating func begin(
    _ devices: [Device], of all: [Device], after earlier: Set<DeviceUUID>, at elapsed: Duration
  ) -> [MQTTMessage] {
    announced = earlier
    return renew(all) + begin(devices.filter { filter.admits($0.uuid) }, at: elapsed)
  }

  /// These are the trackers of the store now: those that are gone are taken back, and those with another name are
  /// announced anew.
  mutating func renew(_ all: [Device]) -> [MQTTMessage] {
    names = Dictionary(all.map { ($0.uuid, $0.name) }) { $1 }
    let gone = announced.subtracting(withdrawn).filter { uuid in
      names[uuid] == nil || !filter.admits(uuid)
    }
    forgotten = forgotten.union(gone).subtracting(names.keys)
    var messages = gone.flatMap { withdraw($0) }
    for (uuid, tracker) in trackers {
      if let name = names[uuid], name != tracker.name { messages += announce(uuid, name) }
    }
    return messages
  }

  /// The broker knows that these were taken back.
  mutating func settle(_ taken: Set<DeviceUUID>) {
    let gone = taken.intersection(withdrawn)
    withdrawn.subtract(gone)
    announced.subtract(gone)
  }

  private var greeting: MQTTMessage { MQTTMessage(topics.availability, "online", isRetained: true) }

  /// Something happened to a tracker.
  public mutating func take(_ update: LocalUpdate, at elapsed: Duration) -> [MQTTMessage] {
    // Those of others have other names all the time.
    guard let uuid = update.state.uuid, filter.admits(uuid), !forgotten.contains(uuid)
    else { return [] }
    var messages: [MQTTMessage] = []
    let name = names[uuid] ?? update.state.name ?? uuid.description
    if trackers[uuid]?.name != name { messages += announce(uuid, name) }
    guard var tracker = trackers[uuid] else { return messages }
    let isHome = update.event != .timedOut
    let isDue = tracker.told.map { elapsed - $0 >= TrackerHome.interval } ?? true
    if tracker.isHome != isHome || update.event != .seen || isDue {
      tracker.told = elapsed
      messages += TrackerFields.values(tracker.id, update.state, drift: update.drift, topics)
      messages.append(
        TrackerFields.attributes(tracker.id, name, update.state, isHome: isHome, topics))
    }
    if tracker.isHome != isHome {
      tracker.isHome = isHome
      messages.append(presence(tracker))
    }
    trackers[uuid] = tracker
    if update.event != .seen { messages.append(event(update)) }
    return messages
  }

  /// The radio works, or does not: when that lasts for a time-out, a home is told that nothing is known, until it works
  /// again. Nobody times out meanwhile (`LunaLocal`).
  public mutating func take(_ update: ListeningUpdate, at elapsed: Duration) -> [MQTTMessage] {
    switch update {
    case .recovering, .lost:
      deafSince = deafSince ?? elapsed
      return []
    case .listening:
      deafSince = nil
      guard isUnavailable else { return [] }
      isUnavailable = false
      listensSince = elapsed
      return [greeting]
    case .recovery, .dropped: return []
    }
  }

  /// Time has passed: who was not heard since the radio works is away; while it does not, nothing is known.
  public mutating func timePassed(at elapsed: Duration) -> [MQTTMessage] {
    if let deafSince {
      guard !isUnavailable, elapsed - deafSince >= timeout else { return [] }
      isUnavailable = true
      return [farewell]
    }
    guard let listensSince, elapsed - listensSince >= timeout else { return [] }
    var messages: [MQTTMessage] = []
    for (uuid, tracker) in trackers where tracker.isHome == nil {
      trackers[uuid]?.isHome = false
      var tracker = tracker
      tracker.isHome = false
      messages.append(
        TrackerFields.attributes(tracker.id, tracker.name, nil, isHome: false, topics))
      messages.append(presence(tracker))
    }
    return messages
  }

  /// When ``timePassed(at:)`` has something to say next, as far as that is known.
  var due: Duration? {
    if let deafSince { return isUnavailable ? nil : deafSince + timeout }
    let isWaiting = trackers.values.contains { $0.isHome == nil }
    return isWaiting ? listensSince.map { $0 + timeout } : nil
  }

  /// Who is to sound, when a message says so.
  public func ringing(_ message: MQTTMessage) -> DeviceUUID? {
    // A retained command is an old one, and would ring at every connect.
    guard rings, !message.isRetained, message.payload == Array("PRESS".utf8),
      let id = topics.device(ofCommand: TrackerFields.ring, in: message.topic)
    else { return nil }
    return trackers.first { $0.value.id == id }?.key
  }

  private mutating func announce(_ uuid: DeviceUUID, _ name: String) -> [MQTTMessage] {
    let id = TrackerHome.id(uuid)
    var tracker = trackers[uuid] ?? Tracker(id: id, name: name)
    tracker.name = name
    trackers[uuid] = tracker
    announcements += 1
    announced.insert(uuid)
    withdrawn.remove(uuid)
    guard let prefix = topics.discovery else { return [] }
    let device = TrackerHome.device(id)
    let about: JSONObject = [
      "identifiers": .array([.string(device)]), "name": .string(name), "manufacturer": "Luna",
      "model": "LunaTracker",
    ]
    return TrackerFields.entities(id, topics, rings: rings).map {
      $0.announcement(of: device, about, topics, under: prefix)
    }
  }

  /// What this run or an earlier one has told, taken back.
  private mutating func withdraw(_ uuid: DeviceUUID) -> [MQTTMessage] {
    trackers[uuid] = nil
    announcements += 1
    announced.insert(uuid)
    withdrawn.insert(uuid)
    let id = TrackerHome.id(uuid)
    let values = TrackerFields.all.map {
      MQTTMessage(topics.value($0, of: id), [], isRetained: true)
    }
    guard let prefix = topics.discovery else { return values }
    return TrackerFields.entities(id, topics, rings: true).map {
      $0.withdrawal(of: TrackerHome.device(id), under: prefix)
    } + values
  }

  private func presence(_ tracker: Tracker) -> MQTTMessage {
    MQTTMessage(
      topics.value(TrackerFields.state, of: tracker.id),
      tracker.isHome == true ? TrackerFields.home : TrackerFields.notHome, isRetained: true)
  }

  private func event(_ update: LocalUpdate) -> MQTTMessage {
    let buffer = OutputBuffer()
    var timeText = TimeText()
    LocalDocument.append(update, &timeText, to: buffer)
    return MQTTMessage(topics.events, Array(buffer.take().dropLast()))
  }

  private static func id(_ uuid: DeviceUUID) -> String { uuid.description.lowercased() }

  private static func device(_ id: String) -> String { "luna_" + HomeTopics.identifier(id) }
}
