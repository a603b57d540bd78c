import LunaJSON
import MQTT
import Testing

@testable import LunaHome

/// What a broker is told.
@Suite struct HomeAnnouncerTests {
  private func announcer(_ precision: String) -> HomeAnnouncer {
    let text = """
      {"trackers": [{"id": "keys", "match": "rssi > -127", "model": "m", "precision": "\(precision)"}],
        "devices": [{"class": "Device", "oemModel": "m", "managedProperties": [
          {"name": "location"}, {"name": "zone"}, {"name": "present"}, {"name": "warm", "type": "bool"}]}],
        "places": [
          {"id": "home", "latitude": 1, "longitude": 2, "radius": 50},
          {"id": "shop", "name": "The shop", "latitude": 3, "longitude": 2, "radius": 50}]}
      """
    return HomeAnnouncer(
      HomeTopics(base: "luna/home"), HomeConfiguration(HomeFile(Array(text.utf8))))
  }

  private func tracker(
    zone: JSONValue, isFresh: Bool = true, latitude: Double = 48.123, isPlaceFresh: Bool = true
  ) -> HomeTracker {
    HomeTracker(
      id: "keys", name: "Keys", device: nil, model: "m", icon: nil, tags: [], actions: [],
      values: [
        HomeValue(
          name: "location",
          value: ["latitude": .real(latitude), "longitude": .real(11.5), "accuracy": 20],
          at: 1, isFresh: isPlaceFresh),
        HomeValue(name: "zone", value: zone, at: 1, isFresh: isFresh),
        HomeValue(name: "present", value: "unknown", at: nil, isFresh: false),
        HomeValue(name: "warm", value: true, at: 1, isFresh: true),
      ], sharedUntil: nil)
  }

  private func text(_ messages: [MQTTMessage]) -> String {
    messages.map { "\($0.topic) \(String(decoding: $0.payload, as: UTF8.self))" }
      .joined(separator: "\n")
  }

  @Test(arguments: [
    ("home", true, "home"), ("away", true, "not_home"), ("shop", true, "The shop"),
    ("unknown", true, "None"), ("home", false, "None"),
  ])
  func saysZonesInTheWordsOfHomeAssistant(zone: String, isFresh: Bool, word: String) {
    var announcer = announcer("exact")
    let messages = announcer.begin([tracker(zone: .string(zone), isFresh: isFresh)])
    let told = messages.first { $0.topic == "luna/home/tracker/keys/zone" }
    #expect(told?.payload == Array(word.utf8))
    #expect(told?.isRetained == true)
  }

  /// Where no zone is said, Home Assistant finds one, or `not_home`, by the coordinates that stand there.
  @Test func anOldPlaceIsTakenBack() {
    let topic = "luna/home/tracker/keys/attributes"
    let old = tracker(zone: "home", isFresh: false, isPlaceFresh: false)
    let nothing = Array(#"{"latitude":null,"longitude":null}"#.utf8)
    var announcer = announcer("exact")
    _ = announcer.begin([tracker(zone: "home")])
    let told = announcer.state(old).first { $0.topic == topic }
    #expect(told == MQTTMessage(topic, nothing, isRetained: true))
    // The broker may have it from an earlier run.
    var next = self.announcer("exact")
    #expect(next.begin([old]).contains { $0.topic == topic && $0.payload == nothing })
    let back = next.state(tracker(zone: "home")).first { $0.topic == topic }
    #expect(back.map { text([$0]).contains("48.123") } == true)
  }

  /// Without ends of its own a number of Home Assistant is from 1 to 100.
  @Test(arguments: [
    ("", -1e9, 1e9), (#", "min": 150"#, 150.0, 1e9), (#", "max": 0"#, -1e9, 0.0),
    (#", "min": 5, "max": 30"#, 5.0, 30.0),
  ])
  func numbersHaveTwoEnds(keys: String, least: Double, most: Double) throws {
    let text = """
      {"trackers": [{"id": "keys", "match": "rssi > -127", "model": "m"}],
        "devices": [{"class": "Device", "oemModel": "m", "managedProperties": [
          {"name": "heat", "type": "number"\(keys)}]}]}
      """
    let parts = try #require(try parts(of: text))
    guard case .object(let part)? = parts["custom_heat"] else {
      Issue.record("there is no such part")
      return
    }
    #expect(part["p"] == "number")
    #expect(part["min"].flatMap { PropertyValue($0) } == .number(least))
    #expect(part["max"].flatMap { PropertyValue($0) } == .number(most))
  }

  /// Python would write them with a capital letter, and Home Assistant would not find them among the words.
  @Test func truthIsAWordOfSeveral() throws {
    let text = #"""
      {"trackers": [{"id": "keys", "match": "rssi > -127", "model": "m"}],
        "devices": [{"class": "Device", "oemModel": "m", "managedProperties": [
          {"name": "mode", "actions": [
            {"name": "on", "value": true}, {"name": "first", "value": "1"}]}]}]}
      """#
    let parts = try #require(try parts(of: text))
    guard case .object(let part)? = parts["custom_mode"] else {
      Issue.record("there is no such part")
      return
    }
    #expect(part["options"] == .array(["true", "1"]))
    let value = "value_json['mode']"
    #expect(
      part["val_tpl"] == .string("{{ \(value) | lower if \(value) is boolean else \(value) }}"))
    // And what it sets is what was meant.
    let tracker = try #require(
      HomeConfiguration(HomeFile(Array(text.utf8))).trackers.first { $0.id == "keys" })
    #expect(tracker.property("mode").value(of: "true") == .bool(true))
    #expect(tracker.property("mode").value(of: "1") == .text("1"))
  }

  @Test func noCoordinateLeavesWhereOnlyTheZoneMay() {
    var exact = announcer("exact")
    #expect(text(exact.begin([tracker(zone: "home")])).contains("48.123"))
    var zone = announcer("zone")
    let told = text(zone.begin([tracker(zone: "home")]))
    #expect(told.contains("luna/home/tracker/keys/zone home"))
    #expect(!told.contains("48.1") && !told.contains("11.5") && !told.contains("latitude"))
    #expect(!told.contains("json_attr_t"))
    var off = announcer("off")
    let said = off.begin([tracker(zone: "home")]).filter { !$0.payload.isEmpty }
    #expect(said.map(\.topic) == ["luna/home/status"])
  }

  /// The broker keeps what it was told before the file was changed.
  @Test func whatIsNotToBeToldAnyMoreIsTakenBack() {
    func withdrawn(_ precision: String) -> [String] {
      var announcer = announcer(precision)
      return announcer.begin([tracker(zone: "home")]).filter { $0.payload.isEmpty && $0.isRetained }
        .map(\.topic)
    }
    let parts = ["state", "attributes", "zone", "health"].map { "luna/home/tracker/keys/\($0)" }
    #expect(withdrawn("exact").isEmpty)
    #expect(withdrawn("zone") == [parts[1]])
    #expect(withdrawn("off") == parts + ["homeassistant/device/luna_luna_home_keys/config"])
  }

  /// Neither as the tracker moves, nor by what rules say of that; and what was said before is taken back.
  @Test func noCoordinateLeavesWithChangesAndEvents() {
    var bench = EngineBench(
      """
      {"trackers": [{"id": "keys", "model": "m", "precision": "zone"}],
        "devices": [{"class": "Device", "oemModel": "m", "managedProperties": [
          {"name": "location"}, {"name": "zone"}]}],
        "places": [{"id": "home", "latitude": 52.5, "longitude": 13.4, "radius": 80}],
        "rules": [
          {"id": "crosses", "cooldown": "0s", "then": [{"ping": {}}],
            "when": [{"enter": {"place": "home"}}, {"exit": {"place": "home"}}]},
          {"id": "lives", "cooldown": "0s", "then": [{"ping": {}}],
            "when": [{"property": {"who": "keys", "property": "zone", "changes": true}}]},
          {"id": "moves", "cooldown": "0s", "then": [{"ping": {}}],
            "when": [{"property": {"who": "keys", "property": "location", "changes": true}}]}]}
      """)
    var exact = announcer("exact")
    let before = exact.begin([tracker(zone: "home")])
    var zone = announcer("zone")
    var messages = zone.begin([tracker(zone: "home")])
    var fired: Set<String> = []
    for (number, north) in [0.0, 0, 1000, 1000, 2000, 0, 0].enumerated() {
      let effects = bench.wait(60) + bench.fix("keys", north: north)
      for case .firing(let firing) in effects {
        fired.insert(firing.rule)
        let change = HomeChange(revision: 1, time: bench.wall, event: .firing(firing))
        messages.append(MQTTMessage(zone.topics.event, change.json.bytes))
      }
      let words = ["home", "away", "shop", "unknown"]
      messages += zone.state(
        tracker(
          zone: .string(words[number % 4]), isFresh: number != 5,
          latitude: 48.123 + Double(number)))
    }
    #expect(fired == ["crosses", "lives", "moves"])
    // An empty one takes back what may stand there still.
    let told = text(messages.filter { !$0.payload.isEmpty })
    for topic in ["/event ", "/state ", "/zone ", "/config "] { #expect(told.contains(topic)) }
    for word in ["48.1", "49.1", "11.5", "52.5", "13.4", "itude", "gps_accuracy", "attr"] {
      #expect(!told.contains(word), "\(word)")
    }
    let attributes = before.map(\.topic).filter { $0.hasSuffix("/attributes") }
    #expect(attributes == ["luna/home/tracker/keys/attributes"])
    #expect(exact.withdrawals(for: zone).map(\.topic) == attributes)
  }

  /// In a template of Home Assistant a quote would end the name.
  @Test func namesOfPropertiesMayHaveQuotes() throws {
    let text = #"""
      {"trackers": [{"id": "keys", "match": "rssi > -127", "model": "m"}],
        "devices": [{"class": "Device", "oemModel": "m", "managedProperties": [{"name": "it's \\ warm"}]}]}
      """#
    let parts = try #require(try parts(of: text))
    let template: JSONValue = .string(#"{{ value_json['it\'s \\ warm'] }}"#)
    let templates = parts.members.map { member -> JSONValue? in
      if case .object(let part) = member.value { part["val_tpl"] } else { nil }
    }
    #expect(templates.contains(template))
  }

  /// Else one would be told of in the place of another, and a button ring any of them.
  @Test func everyTrackerHasTopicsOfItsOwn() throws {
    let ids = ["a.b", "a_b", "Öl", "Äl", "keys"]
    let trackers = ids.map { #"{"id": "\#($0)"}"# }.joined(separator: ", ")
    var announcer = HomeAnnouncer(
      HomeTopics(base: "luna/home"), HomeConfiguration(HomeFile(#"{"trackers": [\#(trackers)]}"#)))
    let messages = announcer.begin(
      ids.map {
        HomeTracker(
          id: $0, name: $0, device: nil, model: "thing", icon: nil, tags: [], actions: [],
          values: [], sharedUntil: nil)
      })
    let levels = messages.compactMap { message -> String? in
      let parts = message.topic.split(separator: "/").map { String($0) }
      return parts.count == 5 && parts[4] == "state" ? parts[3] : nil
    }
    #expect(levels.count == 5 && Set(levels).count == 5)
    #expect(zip(ids, levels).allSatisfy { announcer.tracker($1) == $0 })
    // What is alike to nothing, or is a level already, is known by that.
    #expect(levels[1] == "a_b" && levels[4] == "keys")
    #expect(Set(messages.filter { $0.topic.hasPrefix("homeassistant/") }.map(\.topic)).count == 5)
  }

  @Test func everyPropertyIsAPartOfItsOwn() throws {
    let keys = try keys(of: ["warm", "свет", "тень", "окно", "Warm"])
    #expect(Set(keys.values).count == 5)
    #expect(keys["warm"] == "custom_warm")
  }

  /// Home Assistant keeps what it knows of a property by its key: what comes before it, or goes, must not change that.
  @Test func keysDoNotFollowTheOrderOfProperties() throws {
    let before = try keys(of: ["свет", "тень", "warm", "Cold"])
    let after = try keys(of: ["окно", "warm", "тень", "Warm", "свет", "Cold"])
    for (name, key) in before { #expect(after[name] == key) }
    // What is alike to nothing is known by no more than before.
    #expect(before["Cold"] == "custom_cold")
    #expect(try keys(of: ["свет"])["свет"] == "custom_____")
  }

  @Test func saysWhatIsNewOnly() {
    var announcer = announcer("exact")
    _ = announcer.begin([tracker(zone: "home")])
    #expect(announcer.state(tracker(zone: "home")).isEmpty)
    let topics = announcer.state(tracker(zone: "away")).map(\.topic)
    #expect(topics == ["luna/home/tracker/keys/state", "luna/home/tracker/keys/zone"])
  }

  @Test func takesAwayWhatIsGone() {
    var before = announcer("exact")
    _ = before.begin([tracker(zone: "home")])
    let after = announcer("off")
    let messages = before.withdrawals(for: after)
    #expect(messages.contains { $0.topic.hasPrefix("homeassistant/device/") })
    #expect(messages.allSatisfy { $0.payload.isEmpty && $0.isRetained })
  }

  /// Of a tracker that is there still nothing is taken back, nor of another home.
  @Test func takesAwayWhatEarlierHomesHaveTold() {
    func all(_ base: String, _ level: String) -> Set<String> {
      Set(HomeTopics(base: base).all(of: level))
    }
    var announcer = announcer("exact")
    _ = announcer.begin([tracker(zone: "home")])
    #expect(announcer.announced == ["keys"])
    #expect(announcer.withdrawals(after: [:]).isEmpty)
    #expect(announcer.withdrawals(after: ["luna/home": ["keys"]]).isEmpty)
    let gone = announcer.withdrawals(after: ["luna/home": ["keys", "lamp"], "luna/flat": ["keys"]])
    #expect(gone.allSatisfy { $0.payload.isEmpty && $0.isRetained })
    #expect(
      Set(gone.map(\.topic))
        == all("luna/home", "lamp").union(all("luna/flat", "keys")).union(["luna/flat/status"]))
    // `luna` with `home_keys` is called by Home Assistant what `luna/home` with `keys` is.
    let alike = announcer.withdrawals(after: ["luna": ["home_keys"]]).map(\.topic)
    #expect(alike.count == 5 && !alike.contains { $0.hasPrefix("homeassistant/") })
    // What is not to be told was taken back already, and is none of those to be kept in mind.
    #expect(self.announcer("off").announced.isEmpty)
  }

  @Test func readsCommands() {
    let topics = HomeTopics(base: "luna/home")
    #expect(topics.command(in: "luna/home/tracker/keys/do") == .perform(tracker: "keys"))
    #expect(
      topics.command(in: "luna/home/tracker/keys/set/warm")
        == .set(tracker: "keys", property: "warm"))
    #expect(topics.command(in: "luna/home/message/a/b") == .message("a/b"))
    for topic in ["luna/home", "luna/home/tracker/keys", "other/tracker/keys/do", "luna/homes/x"] {
      #expect(topics.command(in: topic) == nil)
    }
  }

  /// By what properties of these names are known, by their names.
  private func keys(of names: [String]) throws -> [String: String] {
    let properties = names.map { #"{"name": "\#($0)"}"# }.joined(separator: ", ")
    let text = #"""
      {"trackers": [{"id": "keys", "match": "rssi > -127", "model": "m"}],
        "devices": [{"class": "Device", "oemModel": "m", "managedProperties": [\#(properties)]}]}
      """#
    let parts = try #require(try parts(of: text))
    var keys: [String: String] = [:]
    for member in parts.members where member.name.hasPrefix("custom_") {
      guard case .object(let part) = member.value, case .string(let name)? = part["name"] else {
        continue
      }
      keys[name] = member.name
    }
    return keys
  }

  /// The parts of the discovery of a home with this file; nil where it has none.
  private func parts(of text: String) throws -> JSONObject? {
    var announcer = HomeAnnouncer(
      HomeTopics(base: "luna/home"), HomeConfiguration(HomeFile(Array(text.utf8))))
    let messages = announcer.begin([tracker(zone: "home")])
    let discovery = try #require(messages.first { $0.topic.hasPrefix("homeassistant/") })
    guard case .object(let whole) = try JSONReader.read(discovery.payload),
      case .object(let parts)? = whole["cmps"]
    else { return nil }
    return parts
  }
}
