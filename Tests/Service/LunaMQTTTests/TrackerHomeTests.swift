import Bluetooth
import LunaCore
import LunaJSON
import LunaProtocol
import MQTT
import Testing

@testable import LunaLocal
@testable import LunaMQTT

@Suite("What a home is told of trackers") struct TrackerHomeTests {
  private static let uuid = DeviceUUID(high: 0xA1A2_A3A4_A5A6_4788, low: 0x8990_9192_9394_9596)
  private static let other = DeviceUUID(high: 1, low: 2)
  private let topics = HomeTopics(base: nil, host: "attic", discovery: "homeassistant")
  private var id: String { TrackerHomeTests.uuid.description.lowercased() }

  private func home(_ filter: HomeFilter = HomeFilter(), rings: Bool = true) -> TrackerHome {
    TrackerHome(topics, filter: filter, timeout: .seconds(60), rings: rings)
  }

  private func device(_ uuid: DeviceUUID, _ name: String) -> Device {
    Device(
      uuid: uuid, masterKey: MasterKey(bytes: InlineArray(repeating: 7)),
      onboardingTimestamp: Timestamp(microseconds: 1_767_225_600_000_000), name: name)
  }

  private func update(
    _ event: LocalUpdate.Event, uuid: DeviceUUID? = TrackerHomeTests.uuid, name: String = "Keys",
    rssi: Double = -60, drift: Double? = nil
  ) -> LocalUpdate {
    var state = LocalDevice.State(uuid: uuid, kind: .luna, name: name)
    state.rssi = rssi
    state.batteryLowLevel = false
    state.lastSeenDate = Timestamp(microseconds: 1_767_225_660_000_000)
    state.address = BluetoothAddress(value: 0xC0FF_EE00_0001)
    state.addressType = .random
    return LocalUpdate(
      event: event, device: LocalDevice(state), state: state, expectedAt: nil, drift: drift)
  }

  private func text(_ messages: [MQTTMessage], _ topic: String) -> String? {
    messages.last { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) }
  }

  @Test("Home Assistant finds everything that there is, as it asks for it")
  func discovery() throws {
    var home = home()
    let messages = home.begin([device(Self.uuid, "Keys")], at: .zero)
    let announcements = messages.filter { $0.topic.hasPrefix("homeassistant/") }
    var components: [String] = []
    var ids: Set<String> = []
    for message in announcements {
      let (component, content) = try HomeAssistantRules.check(message, prefix: "homeassistant")
      components.append(component)
      if case .string(let id)? = content["unique_id"] { ids.insert(id) }
    }
    #expect(
      components.sorted()
        == ["binary_sensor", "button", "device_tracker", "sensor", "sensor", "sensor"])
    #expect(ids.count == announcements.count)
    // Who finds them gets values at once: availability comes last.
    #expect(messages.last == MQTTMessage("luna/attic/availability", "online", isRetained: true))
    #expect(home.farewell == MQTTMessage("luna/attic/availability", "offline", isRetained: true))
  }

  @Test("A tracker is home when it is heard, and away when it is silent")
  func presence() throws {
    var home = home()
    _ = home.begin([device(Self.uuid, "Keys")], at: .zero)
    let state = "luna/attic/devices/\(id)/state"
    let heard = home.take(update(.appeared, drift: 0.0421), at: .seconds(1))
    #expect(text(heard, state) == "home")
    #expect(text(heard, "luna/attic/devices/\(id)/rssi") == "-60")
    #expect(text(heard, "luna/attic/devices/\(id)/battery_ok") == "1")
    #expect(text(heard, "luna/attic/devices/\(id)/last_seen") == "2026-01-01T00:01:00.000000Z")
    #expect(text(heard, "luna/attic/devices/\(id)/drift") == "0.042")
    let event = try JSONReader.read(Array(try #require(text(heard, topics.events)).utf8))
    guard case .object(let members) = event else {
      Issue.record("no object")
      return
    }
    #expect(members["event"] == "appeared" && members["name"] == "Keys")
    // Its signal is told now and then, its presence once.
    #expect(home.take(update(.seen), at: .seconds(2)).isEmpty)
    #expect(text(home.take(update(.seen, rssi: -70), at: .seconds(12)), state) == nil)
    #expect(text(home.take(update(.timedOut), at: .seconds(80)), state) == "not_home")
    #expect(text(home.take(update(.appeared), at: .seconds(90)), state) == "home")
    #expect(home.timePassed(at: .seconds(100)).isEmpty)
  }

  @Test("Home Assistant finds the zone in the attributes, where it will look alone")
  func zones() throws {
    var home = home()
    _ = home.begin([device(Self.uuid, "Keys")], at: .zero)
    #expect(try zones(home.take(update(.appeared), at: .seconds(1)), Self.uuid) == ["zone.home"])
    #expect(try zones(home.take(update(.seen), at: .seconds(20)), Self.uuid) == ["zone.home"])
    #expect(try zones(home.take(update(.timedOut), at: .seconds(80)), Self.uuid) == [])
    #expect(try zones(home.take(update(.appeared), at: .seconds(90)), Self.uuid) == ["zone.home"])
  }

  /// Where a tracker is, by its attributes; nil where these messages do not say it.
  private func zones(_ messages: [MQTTMessage], _ uuid: DeviceUUID) throws -> [JSONValue]? {
    let topic = "luna/attic/devices/\(uuid.description.lowercased())/attributes"
    guard let message = messages.last(where: { $0.topic == topic }),
      case .object(let members) = try JSONReader.read(message.payload),
      case .array(let zones)? = members["in_zones"]
    else { return nil }
    return zones
  }

  @Test("Who was not heard since the beginning is away once it should have been")
  func absence() throws {
    var home = home()
    _ = home.begin([device(Self.uuid, "Keys"), device(Self.other, "Bag")], at: .zero)
    _ = home.take(update(.appeared), at: .seconds(5))
    #expect(home.timePassed(at: .seconds(59)).isEmpty)
    let bag = "luna/attic/devices/\(Self.other.description.lowercased())/state"
    let told = home.timePassed(at: .seconds(60))
    #expect(told.last == MQTTMessage(bag, "not_home", isRetained: true))
    // What an earlier run has said of where it is goes, too.
    #expect(told.count == 2)
    #expect(try zones(told, Self.other) == [])
    #expect(home.timePassed(at: .seconds(120)).isEmpty)
  }

  @Test("While the radio does not work for long, nothing is known")
  func deafness() throws {
    var home = home()
    _ = home.begin([device(Self.uuid, "Keys"), device(Self.other, "Bag")], at: .zero)
    let bag = "luna/attic/devices/\(Self.other.description.lowercased())/state"
    _ = home.take(update(.appeared), at: .seconds(1))
    #expect(home.due == .seconds(60))
    let gone = ListeningUpdate.recovering(reason: "hci0 is gone")
    #expect(home.take(gone, at: .seconds(40)).isEmpty)
    // The other one may be here.
    #expect(home.due == .seconds(100))
    #expect(home.timePassed(at: .seconds(99)).isEmpty)
    #expect(home.timePassed(at: .seconds(100)) == [home.farewell])
    #expect(home.due == nil)
    #expect(home.take(gone, at: .seconds(900)).isEmpty)
    #expect(home.timePassed(at: .seconds(900)).isEmpty)
    #expect(
      home.take(ListeningUpdate.listening, at: .seconds(1000))
        == [MQTTMessage("luna/attic/availability", "online", isRetained: true)])
    #expect(home.take(ListeningUpdate.listening, at: .seconds(1001)).isEmpty)
    #expect(home.due == .seconds(1060))
    #expect(home.timePassed(at: .seconds(1059)).isEmpty)
    #expect(
      home.timePassed(at: .seconds(1060)).last
        == MQTTMessage(bag, "not_home", isRetained: true))
    #expect(home.due == nil)
    // A scan that is started anew is no news.
    #expect(home.take(gone, at: .seconds(1100)).isEmpty)
    #expect(home.take(ListeningUpdate.listening, at: .seconds(1102)).isEmpty)
    #expect(home.due == nil)
  }

  @Test("Those of others are not told, nor who is not to be; what was told of those is taken away")
  func filter() throws {
    var home = home(HomeFilter(denied: [Self.other]))
    let messages = home.begin(
      [device(Self.uuid, "Keys"), device(Self.other, "Diary")], at: .zero)
    let withdrawn = messages.filter(\.payload.isEmpty)
    // Its entities, and its values.
    #expect(withdrawn.count == 12 && withdrawn.allSatisfy(\.isRetained))
    #expect(!messages.contains { String(decoding: $0.payload, as: UTF8.self).contains("Diary") })
    #expect(home.take(update(.appeared, uuid: Self.other), at: .zero).isEmpty)
    #expect(home.take(update(.appeared, uuid: nil), at: .zero).isEmpty)
    #expect(HomeFilter(allowed: [Self.uuid]).admits(Self.uuid))
    #expect(!HomeFilter(allowed: [Self.uuid]).admits(Self.other))
    #expect(!HomeFilter(allowed: [Self.uuid], denied: [Self.uuid]).admits(Self.uuid))
  }

  @Test("A press of the button rings, and an old one, or another text, does not")
  func ringing() throws {
    var home = home()
    _ = home.begin([device(Self.uuid, "Keys")], at: .zero)
    #expect(home.commands == "luna/attic/devices/+/ring/set")
    let topic = "luna/attic/devices/\(id)/ring/set"
    #expect(home.ringing(MQTTMessage(topic, "PRESS")) == Self.uuid)
    #expect(home.ringing(MQTTMessage(topic, "PRESS", isRetained: true)) == nil)
    #expect(home.ringing(MQTTMessage(topic, "press")) == nil)
    for wrong in ["luna/attic/devices//ring/set", "luna/attic/devices/x/ring/set", "x", ""] {
      #expect(home.ringing(MQTTMessage(wrong, "PRESS")) == nil)
    }
    var silent = self.home(rings: false)
    _ = silent.begin([device(Self.uuid, "Keys")], at: .zero)
    #expect(silent.commands == nil && silent.ringing(MQTTMessage(topic, "PRESS")) == nil)
  }

  @Test("A name may be anything: it stands in no topic, and in JSON as what it is")
  func hostileNames() throws {
    var home = home()
    let name = "a/#\"\\\u{1B}[2J\n+\u{202E}"
    let messages = home.begin([device(Self.uuid, name)], at: .zero)
    for message in messages {
      #expect(MQTTTopic.isValid(message.topic))
      #expect(message.payload.allSatisfy { $0 >= 0x20 })
      if message.topic.hasPrefix("homeassistant/") {
        let (_, content) = try HomeAssistantRules.check(message, prefix: "homeassistant")
        guard case .object(let device)? = content["device"] else { continue }
        #expect(device["name"] == .string(name))
      }
    }
    let hostile = HomeTopics(base: nil, host: "a/b#\u{1B}", discovery: "homeassistant")
    #expect(hostile.availability == "luna/a_b__/availability")
  }

  @Test("A name that changes, and a tracker that comes new, are announced")
  func news() throws {
    var home = home()
    _ = home.begin([], at: .zero)
    let new = home.take(update(.appeared), at: .zero)
    #expect(new.count { $0.topic.hasPrefix("homeassistant/") } == 6)
    #expect(!home.take(update(.appeared), at: .zero).contains { $0.topic.hasPrefix("home") })
    let renamed = home.take(update(.rotated, name: "Bag"), at: .zero)
    #expect(renamed.count { $0.topic.hasPrefix("homeassistant/") } == 6)
    // Without a discovery there is none.
    var plain = TrackerHome(
      HomeTopics(base: "x", host: "attic", discovery: nil), filter: HomeFilter(),
      timeout: .seconds(60), rings: false)
    #expect(
      plain.begin([device(Self.uuid, "Keys")], at: .zero).map(\.topic) == ["x/availability"])
    #expect(plain.take(update(.appeared), at: .zero).allSatisfy { $0.topic.hasPrefix("x/") })
  }

  @Test("Who was forgotten since an earlier run is taken back, and nobody of another machine")
  func forgottenMeanwhile() throws {
    let (bag, stranger) = (DeviceUUID(high: 3, low: 4), DeviceUUID(high: 5, low: 6))
    var home = home(HomeFilter(denied: [Self.other, stranger]))
    let all = [device(Self.uuid, "Keys"), device(Self.other, "Diary"), device(stranger, "Car")]
    let messages = home.begin(all, of: all, after: [Self.uuid, Self.other, bag], at: .zero)
    // The bag is gone, the diary is denied now; of the car this machine has never told.
    let withdrawn = messages.filter(\.payload.isEmpty).map(\.topic)
    #expect(withdrawn.count == 24)
    for uuid in [Self.other, bag] {
      #expect(
        withdrawn.contains("luna/attic/devices/\(uuid.description.lowercased())/state"), "\(uuid)")
    }
    #expect(!withdrawn.contains { $0.contains(stranger.description.lowercased()) })
    #expect(messages.last == MQTTMessage("luna/attic/availability", "online", isRetained: true))
    // Both are remembered until the broker knows.
    #expect(home.announced == [Self.uuid, Self.other, bag])
    #expect(home.withdrawn == [Self.other, bag])
    home.settle([bag])
    #expect(home.announced == [Self.uuid, Self.other])
    home.settle(home.withdrawn)
    #expect(home.announced == [Self.uuid] && home.withdrawn.isEmpty)
  }

  @Test("Who is forgotten or renamed while it runs is taken back, or announced anew")
  func changes() throws {
    var home = home()
    let all = [device(Self.uuid, "Keys"), device(Self.other, "Bag")]
    _ = home.begin(all, of: all, after: [], at: .zero)
    _ = home.take(update(.appeared), at: .zero)
    #expect(home.renew(all).isEmpty)
    let before = home.announcements
    let renamed = home.renew([device(Self.uuid, "Car"), device(Self.other, "Bag")])
    #expect(renamed.count == 6 && renamed.allSatisfy { $0.topic.hasPrefix("homeassistant/") })
    #expect(renamed.allSatisfy { String(decoding: $0.payload, as: UTF8.self).contains("\"Car\"") })
    #expect(home.announcements == before + 1)
    // Who is followed may still be called as before.
    #expect(!home.take(update(.rotated), at: .zero).contains { $0.topic.hasPrefix("home") })
    let gone = home.renew([device(Self.other, "Bag")])
    #expect(gone.count == 12 && gone.allSatisfy { $0.payload.isEmpty && $0.isRetained })
    #expect(home.take(update(.appeared), at: .zero).isEmpty)
    #expect(home.ringing(MQTTMessage("luna/attic/devices/\(id)/ring/set", "PRESS")) == nil)
    // One that comes back is told of again.
    #expect(home.renew(all).isEmpty)
    #expect(
      home.take(update(.appeared), at: .zero).count { $0.topic.hasPrefix("homeassistant/") } == 6)
    #expect(home.announced == [Self.uuid, Self.other] && home.withdrawn.isEmpty)
  }

  @Test("Home Assistant says that it has begun")
  func birth() {
    #expect(HomeTopics.isBirth(MQTTMessage("homeassistant/status", "online")))
    #expect(!HomeTopics.isBirth(MQTTMessage("homeassistant/status", "offline")))
    #expect(!HomeTopics.isBirth(MQTTMessage("luna/attic/availability", "online")))
  }
}
