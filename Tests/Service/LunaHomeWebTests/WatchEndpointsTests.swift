import Bluetooth
import HTTPServer
import Luna
import LunaCore
import LunaJSON
import LunaStore
import LunaTesting
import LunaWatch
import Synchronization
import Testing
import TrackerSimulation

@testable import LunaHome
@testable import LunaHomeWeb
@testable import LunaNotify

/// Trackers of others that stay with the box, as owners get them and nobody else.
@Suite(.timeLimit(.minutes(10))) struct WatchEndpointsTests {
  /// Keeps what would be sent to people.
  private final class KeptMessages: HomeOutbox {
    let messages = Mutex<[HomeMessage]>([])

    func add(
      _ messages: [HomeMessage], to database: borrowing HomeDatabase
    ) throws(DeviceStoreError) {
      self.messages.withLock { $0 += messages }
    }
    func add(
      _ mail: HomeMail, to database: borrowing HomeDatabase
    ) throws(DeviceStoreError) {}
    func wake() {}
    func reload(_ settings: NotificationSettings) {}
    func retry(_ id: Int64) async -> Bool { true }
    func stop() async {}
  }

  /// An API over a home that runs, with a token of each role.
  private struct Bench {
    let folder = TestFolder()
    let home: LunaHome
    let api: HomeAPI
    var tokens: [HomeRole: String] = [:]

    init(_ text: String = "{}", outbox: (any HomeOutbox)? = nil) async throws {
      let state = StateDirectory(path: folder.path)
      var luna = LunaSettings()
      luna.radio = try TrackerRoom(seed: 1)
      luna.store = InMemoryDeviceStore()
      luna.state = state
      var settings = HomeSettings(state: state) {
        let file = HomeFile(Array(text.utf8))
        return LoadedHome(file: file, configuration: HomeConfiguration(file))
      }
      settings.hasSocket = false
      if let outbox { settings.makeOutbox = { _, _ in outbox } }
      home = Luna(luna).home(settings)
      try await home.start()
      let accounts = HomeAccounts(try await HomeStore.beside(in: state))
      for role in HomeRole.allCases {
        tokens[role] = try await accounts.addToken(role.rawValue, role, at: WallClock.system.now())
      }
      let address = ListenAddress(host: "127.0.0.1", port: 8470)
      api = try HomeAPI(
        home, accounts, HomeBrowsers(HomeServerSettings(), at: address), HomeSurroundings(),
        ConsoleLogger(level: .ERROR), now: { WallClock.system.now() }, readPicture: { _, _ in [] },
        configure: { HomeConfiguration($0) })
    }

    /// - Parameter role: whose token is shown; nil for none.
    func ask(
      _ method: String, _ path: String, _ role: HomeRole?, _ body: JSONValue? = nil,
      headers: [(String, String)] = []
    ) async -> (status: Int, json: JSONValue) {
      var all = [("Host", "127.0.0.1:8470")] + headers
      if let role, let token = tokens[role] {
        all.append(("Authorization", "Bearer " + token))
      }
      if body != nil { all.append(("Content-Type", "application/json")) }
      let head = HTTPHead(
        method: method, target: "/api/v1/" + path,
        headers: all.map { HTTPHeader($0.0.utf8, $0.1.utf8) })
      let response = await api.answer(
        HTTPRequest(
          id: "1", head: head, client: ClientAddress([127, 0, 0, 1]), body: body?.bytes ?? []))
      return (response.status, (try? JSONReader.read(response.body)) ?? .null)
    }
  }

  private func count(_ json: JSONValue, _ name: String) -> Int? {
    if case .array(let elements)? = json[name] { elements.count } else { nil }
  }

  @Test func onlyOwnersSeeAndMark() async throws {
    let bench = try await Bench()
    try await bench.home.meet()
    let path = "suspects/tile:000000000001"
    let body: JSONValue = ["as": "known"]
    for role in [HomeRole.guest, .member] {
      #expect(await bench.ask("GET", "suspects", role).status == 404)
      #expect(await bench.ask("GET", path, role).status == 404)
      #expect(await bench.ask("POST", path + "/mark", role, body).status == 404)
    }
    #expect(await bench.ask("GET", "suspects", nil).status == 401)
    let (status, all) = await bench.ask("GET", "suspects", .owner)
    #expect(status == 200)
    #expect(count(all, "suspects") == 1)
    #expect(count(all, "excluded") == 0)
    #expect(await bench.ask("GET", path, .owner).json["grade"] == "suspect")
    #expect(await bench.ask("GET", "suspects/tile:000000000002", .owner).status == 404)
    await bench.home.stop()
  }

  @Test func marksAreSaidAndTakenBack() async throws {
    let bench = try await Bench()
    try await bench.home.meet()
    let path = "suspects/tile:000000000001/mark"
    #expect(await bench.ask("POST", path, .owner, ["as": "own"]).status == 400)
    #expect(await bench.ask("POST", path, .owner, [:]).status == 400)
    let marked = await bench.ask("POST", path, .owner, ["as": "falseAlarm"])
    #expect(marked.status == 200)
    #expect(marked.json["excluded"] == "falseAlarm")
    #expect(marked.json["mark"]?["by"] == "owner")
    var all = await bench.ask("GET", "suspects", .owner).json
    #expect(count(all, "suspects") == 0)
    #expect(count(all, "excluded") == 1)
    let nothing: JSONValue = ["as": .null]
    #expect(await bench.ask("POST", path, .owner, nothing).json["mark"] == .null)
    all = await bench.ask("GET", "suspects", .owner).json
    #expect(count(all, "suspects") == 1)
    await bench.home.stop()
  }

  @Test func evidenceKeepsToItsSchema() async throws {
    let bench = try await Bench(#"{"watch": {"discreet": true, "families": ["tile"]}}"#)
    try await bench.home.meet()
    let all = await bench.ask("GET", "suspects", .owner).json
    #expect(Self.violations(of: WatchSchema.suspects, in: all) == [])
    let path = "suspects/tile:000000000001"
    _ = await bench.ask("POST", path + "/mark", .owner, ["as": "mine"])
    let one = await bench.ask("GET", path, .owner).json
    #expect(Self.violations(of: WatchSchema.suspect, in: one) == [])
    #expect(count(one, "rides") == 1)
    // A Tile keeps its address: what was said holds for good.
    #expect(one["changes"] == false)
    // What would not keep to it is noticed.
    #expect(Self.violations(of: WatchSchema.suspect, in: ["type": "suspect"]).count > 10)
    await bench.home.stop()
  }

  /// Of one that changes its identifier, and has told what it is.
  @Test func evidenceOfAChainKeepsToItsSchema() async throws {
    let bench = try await Bench()
    try await bench.home.meet { minute in "smarttag:\((minute + 9) / 15)" }
    let all = await bench.ask("GET", "suspects", .owner).json
    guard case .array(let found)? = all["suspects"] else {
      Issue.record("there is no list")
      return
    }
    let id = try #require(found.first?["id"]?.text)
    let identity: JSONValue = [
      "type": "identity", "time": HomeTime.json(1_793_577_600_000_000),
      "productData": "0102030405060708", "manufacturer": "Example Trackers", "category": 1,
      "capabilities": ["sound"],
      "networkName": "Google", "firmware": "1.2.3", "battery": "normal",
    ]
    await bench.home.tell(identity, of: id)
    let one = await bench.ask("GET", "suspects/" + id, .owner).json
    #expect(Self.violations(of: WatchSchema.suspect, in: one) == [])
    let identifiers = try #require(count(one, "identifiers"))
    // What was linked after it was told of is in the list of its identifiers alone.
    let links = try #require(count(one, "links"))
    #expect(links > 1 && identifiers > links)
    #expect(one["identity"] == identity && one["changes"] == true)
    await bench.home.stop()
  }

  @Test func onlyOwnersRingAndIdentify() async throws {
    let bench = try await Bench()
    try await bench.home.meet()
    let tile = "suspects/tile:000000000001"
    for verb in ["/ring", "/identify"] {
      for role in [HomeRole.guest, .member] {
        #expect(await bench.ask("POST", tile + verb, role).status == 404)
      }
      #expect(await bench.ask("POST", tile + verb, nil).status == 401)
      #expect(await bench.ask("POST", "suspects/tile:000000000002" + verb, .owner).status == 404)
      // A Tile obeys nobody but the app of its maker.
      let refused = await bench.ask("POST", tile + verb, .owner)
      #expect(refused.status == 409)
      #expect(refused.json["detail"]?.text?.contains("Tile app") == true)
    }
    await bench.home.find("dult:0123456789ab")
    let begun = await bench.ask("POST", "suspects/dult:0123456789ab/ring", .owner)
    #expect(begun.status == 202 && begun.json["state"] == "begun")
    let command = try #require(begun.json["commandId"]?.text)
    // Who has a tracker that follows an owner must not learn that it is rung.
    #expect(await bench.ask("GET", "commands/" + command, .member).status == 404)
    let seen = await bench.ask("GET", "commands/" + command, .owner)
    #expect(seen.status == 200 && seen.json["action"] == "ringSuspect")
    #expect(
      await bench.ask("POST", "suspects/dult:0123456789ab/identify", .owner).status == 409)
    await bench.home.stop()
  }

  @Test func rulesOfTheWatchAreForOwners() async throws {
    let bench = try await Bench(
      """
      {"rules": [
        {"id": "follow", "when": [{"watch": {}}, {"time": {"at": ["08:00"]}}],
          "then": [{"rule": {"do": "resume"}}]},
        {"id": "bell", "when": [{"message": "bell"}], "then": [{"rule": {"do": "resume"}}]}]}
      """)
    let all = await bench.ask("GET", "rules", .owner).json
    #expect(count(all, "rules") == 2)
    let some = await bench.ask("GET", "rules", .member).json
    #expect(count(some, "rules") == 1)
    let runs = await bench.ask("GET", "runs", .owner).json
    #expect(count(runs, "runs") == 3)
    let others = await bench.ask("GET", "runs", .member).json
    #expect(count(others, "runs") == 0)
    for trigger in [nil, "watch", "message"] {
      var outcome = HomeOutcome(
        firing: "follow-1-0", action: 0, part: 0, name: "rule", state: .done, time: 1)
      outcome.trigger = trigger
      let change = HomeChange(revision: 1, time: 1, event: .outcome(outcome))
      let told = HomeRole.allCases.filter { role in
        let caller = HomeCaller(HomeAccounts.Token(name: "t", role: role, createdAt: .unknown))
        return HomeStreams.event(change, for: caller) != nil
      }
      let expected: [HomeRole] = trigger == "message" ? [.member, .owner] : [.owner]
      #expect(told == expected)
    }
    #expect(await bench.ask("GET", "rules/follow", .owner).status == 200)
    #expect(await bench.ask("GET", "rules/follow", .member).status == 404)
    #expect(await bench.ask("GET", "rules/bell", .member).status == 200)
    let rule: JSONValue = [
      "id": "mine", "when": [["watch": ["grade": "notice"]]], "then": [["ping": [:]]],
    ]
    #expect(await bench.ask("POST", "rules", .member, rule).status == 403)
    let nap: JSONValue = ["seconds": 60]
    #expect(await bench.ask("POST", "rules/follow/snooze", .member, nap).status == 404)
    #expect(await bench.ask("POST", "rules/bell/snooze", .member, nap).status == 204)
    #expect(await bench.ask("POST", "rules/follow/snooze", .owner, nap).status == 204)
    await bench.home.stop()
  }

  /// The same story with it and without: what hides it from others is that it is discreet, and nothing else.
  @Test(arguments: [false, true])
  func onlyADiscreetWatchIsHiddenFromOthers(isDiscreet: Bool) async throws {
    let outbox = KeptMessages()
    let bench = try await Bench(
      """
      {"watch": {"discreet": \(isDiscreet)}, "contacts": [{"id": "ann"}], "rules": [
        {"id": "follow", "when": [{"watch": {"grade": "suspect"}}],
          "then": [{"notify": {"to": "ann"}}]}]}
      """, outbox: outbox)
    let before = await bench.home.snapshot().revision
    try await bench.home.meet()
    let metrics = try await HomeMetrics.text(bench.api)
    #expect(metrics.contains("luna_home_firings_total{rule=\"follow\"}") != isDiscreet)
    // An owner sees it in both.
    let all = await bench.ask("GET", "suspects", .owner).json
    #expect(count(all, "suspects") == 1)
    await bench.home.stop()
    // A broker is told of each, once it is kept.
    let changes = try #require(await bench.home.changes(after: before))
    let firings = changes.compactMap { change -> String? in
      if case .firing(let firing) = change.event { firing.rule } else { nil }
    }
    #expect(firings == (isDiscreet ? [] : ["follow"]))
    let told = outbox.messages.withLock { $0.map(\.request.rule) }
    #expect(told == (isDiscreet ? [] : ["follow"]))
  }

  /// Whoever is not shown a message cannot send it again by guessing its number.
  @Test func aHiddenMessageIsOnlyTheOwnersToSendAgain() async throws {
    let bench = try await Bench(outbox: KeptMessages())
    let entries = ["watch", "arrive"].map { trigger in
      var message = Message(
        firing: trigger, rule: "tell", ruleName: "Tell", level: .info, at: 1_780_000_000_000_000,
        text: "somebody")
      message.trigger = trigger
      return OutboxEntry(message, number: 0, channel: "mail", contact: "ann")
    }
    let ids = try await bench.api.accounts.store.transaction {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) -> [Int64] in
      try OutboxTable.add(entries, to: database.connection)
      let waiting = try OutboxTable.list(onlyFailed: false, in: database.connection).map(\.entry.id)
      try OutboxTable.settle(
        Settlement(
          ids: waiting, state: .failed, reason: "no answer", due: 0, at: 0, isAttempt: true),
        in: database.connection)
      return waiting
    }
    try #require(ids.count == 2)
    func retry(_ id: Int64, _ role: HomeRole) async -> Int {
      await bench.ask("POST", "outbox/\(id)/retry", role).status
    }
    #expect(await retry(ids[0], .member) == 404)
    #expect(await retry(ids[1], .member) == 204)
    #expect(await retry(ids[0], .owner) == 204)
    #expect(await retry(ids[1] + 1, .owner) == 404)
    await bench.home.stop()
  }

  /// What of a value is not as a schema says, as far as those of evidence go.
  private static func violations(
    of schema: JSONValue, in value: JSONValue, at path: String = ""
  ) -> [String] {
    if case .array(let choices)? = schema["anyOf"] {
      let all = choices.map { violations(of: $0, in: value, at: path) }
      return all.contains([]) ? [] : all.first ?? []
    }
    if case .array(let words)? = schema["enum"], !words.contains(value) {
      return ["\(path) is none of the words"]
    }
    switch (schema["type"]?.text, value) {
    case ("string", .string), ("boolean", .bool), ("integer", .integer), ("number", .integer),
      ("number", .real), ("null", .null):
      return []
    case ("array", .array(let elements)):
      return elements.flatMap { violations(of: schema["items"] ?? .null, in: $0, at: path + "[]") }
    case ("object", .object(let object)):
      guard case .object(let properties)? = schema["properties"],
        case .array(let required)? = schema["required"]
      else { return ["\(path) has no schema"] }
      let missing = required.compactMap(\.text).filter { object[$0] == nil }
      let others = object.members.filter { properties[$0.name] == nil }.map(\.name)
      let inner = object.members.flatMap { member in
        properties[member.name].map {
          violations(of: $0, in: member.value, at: "\(path).\(member.name)")
        } ?? []
      }
      return missing.map { "\(path).\($0) is missing" }
        + others.map { "\(path).\($0) is not said" } + inner
    default: return ["\(path) is of another type"]
    }
  }
}

extension LunaHome {
  /// Takes a tracker as found that is not there any more.
  fileprivate func find(_ id: String) {
    let time = HomeTime.json(now.wall)
    let json: JSONValue = [
      "id": .string(id), "time": time, "told": time, "grade": "suspect",
      "identifiers": [.string(id)],
    ]
    if let suspect = HomeSuspect(kept: json.bytes) { watch.suspects.append(suspect) }
  }

  /// Takes what a tracker has told of itself.
  fileprivate func tell(_ identity: JSONValue, of id: String) { watch.note(identity, of: id) }

  /// Lives through the last hours with a tracker that comes along on a trip.
  ///
  /// - Parameter name: what it calls itself at a minute.
  fileprivate func meet(
    _ name: @Sendable (Int) -> String = { _ in "tile:000000000001" }
  ) throws {
    let begin = clock.now().microseconds / 1_000_000 - 3 * 3_600
    for minute in 0..<150 {
      let time = Timestamp(microseconds: (begin + Int64(minute) * 60) * 1_000_000)
      let identifier = try #require(WatchIdentifier(name(minute)))
      let metres = Double(min(max(0, minute - 30), 25)) / 25 * 8_000
      watch.move(
        to: LocationFix(
          latitude: 0, longitude: metres / 111_319.5, horizontalAccuracy: 10, measuredAt: time),
        at: time)
      for second in stride(from: 0, to: 60, by: 10) {
        watch.hear(
          WatchFrame(
            time: time.advanced(by: .seconds(second)), identifier: identifier, state: .unknown,
            rssi: -60))
      }
    }
    tellSuspects()
  }
}
