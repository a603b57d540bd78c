import Bluetooth
import HTTPServer
import LunaCore
import LunaFleet
import LunaJSON
import Testing

@testable import LunaBackend

/// What a server knows of its gateways without reading each report anew.
@Suite(.timeLimit(.minutes(10))) struct FleetSignsTests {
  private static let now = Samples.now

  private static func report(free: Int64 = 5000, version: String? = nil) -> HealthReport {
    var report = HealthReport()
    report.diskFreeMiB = free
    report.version = version
    return report
  }

  private static func signs(
    _ storage: any Storage, limits: HealthLimits = .init()
  ) -> FleetSigns {
    // Long ago: what holds for a server's first moments is not asked here.
    FleetSigns(storage, since: Samples.later(-86_400), limits: limits)
  }

  private static func gateway(
    _ key: String, _ fields: JSONObject = ["place": ["latitude": 1, "longitude": 2]]
  ) -> Gateway {
    Gateway(id: "0011223344556677", key: key, fields: fields, createdAt: now)
  }

  @Test(arguments: StorageKind.available)
  func knowsTheLimitsThatAreSet(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    try await storage.note(Self.report(free: 500), of: "kitchen", at: Samples.later(-20))
    var limits = HealthLimits()
    for (free, seconds, verdict, state) in [
      (200, 150, "ok", "online"), (1000, 150, "bad", "online"), (1000, 10, "bad", "late"),
    ] {
      limits.diskFreeMiB = Int64(free)
      limits.onlineSeconds = Int64(seconds)
      let signs = Self.signs(storage, limits: limits)
      let gateway = Self.gateway("kitchen")
      let all = try await signs.statuses(at: Self.now)
      let one = try await signs.statuses(of: "kitchen", at: Self.now)
      for status in [all.status(of: gateway), one.status(of: gateway)] {
        #expect(status.verdict == verdict && status.state == state)
        #expect(status.reasons.map { $0["code"] } == (verdict == "bad" ? ["diskFull"] : []))
      }
      let searched = all.searched(FleetDirectory.Entry(gateway))
      #expect(searched.verdict == verdict && searched.state == state)
      #expect(searched.reasons == (verdict == "bad" ? ["diskFull"] : []))
    }
  }

  @Test(arguments: StorageKind.available)
  func saysTheSameToSearchesAsToReaders(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    try await storage.note(Self.report(version: "1.2"), of: "told", at: Self.now)
    try await storage.touch(
      "uploaded", report: GatewayReport(version: "1.1", uptime: 5, queueDepth: 7), at: Self.now)
    let all = try await Self.signs(storage).statuses(at: Self.now)
    for key in ["told", "uploaded", "never"] {
      for fields: JSONObject in [[:], ["place": ["latitude": 1, "longitude": 2]]] {
        let gateway = Self.gateway(key, fields)
        let status = all.status(of: gateway)
        let searched = all.searched(FleetDirectory.Entry(gateway))
        #expect(searched.state == status.state && searched.verdict == status.verdict)
        #expect(searched.version == status.version && searched.seenAt == status.seenAt)
        #expect(searched.hasHealth == (status.health != nil))
        #expect(searched.reasons.map { .string($0) } == status.reasons.map { $0["code"] })
      }
    }
    #expect(all.searched(FleetDirectory.Entry(Self.gateway("uploaded"))).queueDepth == 7)
  }

  @Test(arguments: StorageKind.available)
  func seesWhatOtherProcessesStore(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let signs = Self.signs(storage)
    func version() async throws -> [String?] {
      try await signs.statuses(at: Self.now).signs.sorted { $0.key < $1.key }.map(
        \.value.searched.version)
    }
    #expect(try await version() == [])
    let other = try place.open()
    try await other.note(Self.report(version: "1"), of: "kitchen", at: Samples.later(-60))
    #expect(try await version() == ["1"])
    try await other.note(Self.report(version: "2"), of: "kitchen", at: Self.now)
    try await other.touch(
      "attic", report: GatewayReport(version: "3", uptime: 1, queueDepth: 0), at: Self.now)
    #expect(try await version() == ["3", "2"])
    // What this one stores itself is noted with it, and stays when the other stores something.
    signs.note(try await storage.note(Self.report(version: "4"), of: "hall", at: Self.now))
    #expect(try await version() == ["3", "4", "2"])
    try await other.note(Self.report(version: "5"), of: "kitchen", at: Samples.later(60))
    #expect(try await version() == ["3", "4", "5"])
    // An upload that tells nothing takes nothing back.
    signs.note(GatewayRecord(name: "attic", seenAt: Samples.later(5), report: nil))
    #expect(try await version() == ["3", "4", "5"])
  }

  @Test func readsNothingWhereNobodyElseWrites() async throws {
    let place = try StoragePlace(.sqlite)
    let storage = try await place.prepared()
    let before = try #require(try await storage.foreignWrites())
    try await storage.note(Self.report(), of: "kitchen", at: Self.now)
    #expect(try await storage.foreignWrites() == before)
    let other = try place.open()
    try await other.note(Self.report(), of: "kitchen", at: Samples.later(60))
    #expect(try await storage.foreignWrites() != before)
  }

  @Test(arguments: StorageKind.available)
  func followsTheLimitsThatAnAdminSets(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    var configured = HealthLimits()
    configured.diskFreeMiB = 100
    let signs = Self.signs(storage, limits: configured)
    signs.note(try await storage.note(Self.report(free: 500), of: "kitchen", at: Self.now))
    let gateway = Self.gateway("kitchen")
    func verdicts() async throws -> Set<String> {
      let all = try await signs.statuses(at: Self.now)
      let one = try await signs.statuses(of: "kitchen", at: Self.now)
      return [all.status(of: gateway).verdict, one.status(of: gateway).verdict]
    }
    #expect(try await verdicts() == ["ok"])
    try await AccountStore(storage).keep(
      [HealthLimit.setting: #"{"diskFree":1000}"#], by: nil, at: 1)
    signs.readAnew()
    #expect(try await verdicts() == ["bad"])
    #expect(try await signs.limits().diskFreeMiB == 1000)
    // What is not named is as it was configured.
    try await AccountStore(storage).keep(
      [HealthLimit.setting: #"{"temperature":70.5}"#], by: nil, at: 2)
    signs.readAnew()
    #expect(try await verdicts() == ["ok"])
    #expect(try await signs.limits().diskFreeMiB == 100)
    #expect(try await signs.limits().temperature == 70.5)
    // Another process that uses the storage has it changed.
    try await AccountStore(try place.open()).keep(
      [HealthLimit.setting: #"{"diskFree":1000}"#], by: nil, at: 3)
    #expect(try await verdicts() == ["bad"])
    try await AccountStore(storage).keep([HealthLimit.setting: nil], by: nil, at: 4)
    signs.readAnew()
    #expect(try await verdicts() == ["ok"])
  }

  @Test(arguments: [
    "[]", "1", #"{"online":0}"#, #"{"online":1.5}"#, #"{"online":"150"}"#, #"{"other":1}"#,
    #"{"online":901}"#, #"{"late":100}"#, #"{"temperature":151}"#, #"{"outageHours":-1}"#,
    #"{"diskFree":null}"#,
  ])
  func refusesLimitsThatCannotBe(text: String) throws {
    let json = try JSONReader.read(Array(text.utf8))
    #expect(HealthLimit.limits(json, from: HealthLimits()) == nil)
  }

  @Test func saysWhatEachLimitIsUsually() throws {
    guard case .object(let schema) = HealthLimit.schema,
      case .object(let properties)? = schema["properties"]
    else {
      Issue.record("the schema has another form")
      return
    }
    var usual = JSONObject()
    for member in properties.members {
      guard case .object(let rule) = member.value, let value = rule["default"] else {
        Issue.record("\(member.name) says nothing")
        continue
      }
      usual.append(member.name, value)
    }
    #expect(usual.members.count == HealthLimit.all.count)
    var other = HealthLimits()
    (other.onlineSeconds, other.diskFreeMiB, other.temperature) = (1, 1, 1)
    #expect(HealthLimit.limits(.object(usual), from: other) == HealthLimits())
  }

  @Test func takesEachLimit() throws {
    var text = "{"
    for limit in HealthLimit.all where !["online", "late"].contains(limit.name) {
      let json = JSONValue.object([limit.name: .integer(Int64(limit.range.upperBound))])
      #expect(HealthLimit.limits(json, from: HealthLimits()) != HealthLimits())
      text += "\"\(limit.name)\":1,"
    }
    text += #""online":1,"late":1}"#
    let limits = HealthLimit.limits(try JSONReader.read(Array(text.utf8)), from: HealthLimits())
    var expected = HealthLimits()
    (expected.onlineSeconds, expected.lateSeconds, expected.silentSeconds) = (1, 1, 1)
    (expected.outageHours, expected.diskFreeMiB, expected.queueOldestSeconds) = (1, 1, 1)
    (expected.recoveriesPerHour, expected.clockOffsetMilliseconds) = (1, 1)
    expected.temperature = 1
    #expect(limits == expected)
  }

  @Test func takesNothingOfRemovedGateways() async throws {
    let place = try StoragePlace(.sqlite)
    let storage = try await place.prepared()
    var configuration = BackendConfiguration()
    configuration.now = { Self.now }
    let api = API(
      configuration, storage, Metrics(), .none, StorageOutage(.none), BrowserGuard(.off))
    let token = try AccessToken(.gateway)
    try await storage.add(try token.record(name: "kitchen", at: Self.now))
    func post(_ path: String, _ body: JSONValue) async -> HTTPResponse {
      await api.answer(
        HTTPRequest(
          id: "1",
          head: HTTPHead(
            method: "POST", target: path, version: "HTTP/1.1",
            headers: [
              HTTPHeader("authorization".utf8, "Bearer \(token.text)".utf8),
              HTTPHeader("content-type".utf8, "application/json".utf8),
            ]),
          client: ClientAddress([127, 0, 0, 1]), body: Array(body.description.utf8)))
    }
    let telemetry: JSONValue = ["health": ["diskFreeMiB": 5000]]
    #expect(await post("/v1/telemetry", telemetry).status == 200)
    let id = try #require(try await api.directory.present().entries.first).gateway.id
    let change = try await api.fleet.change(by: "me", at: Self.now) { work throws(FleetFailure) in
      try work.remove(id)
    }
    for (path, body) in [("/v1/telemetry", telemetry), ("/trackerEvent", [])] {
      let answer = await post(path, body)
      #expect(answer.status == 403 && answer.problemCode == "gatewayRemoved", "\(path)")
    }
    _ = try await api.fleet.change(by: "me", at: Self.now) { work throws(FleetFailure) in
      try work.undo(change)
    }
    #expect(await post("/v1/telemetry", telemetry).status == 200)
  }

  @Test func tellsReportsAsTheyCome() async throws {
    let place = try StoragePlace(.sqlite)
    let storage = try await place.prepared()
    let signs = Self.signs(storage)
    _ = try await signs.statuses(at: Self.now)
    // Many at once, and lists in between: nothing that was noted is lost.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          signs.note(
            try await storage.note(
              Self.report(version: "\(number)"), of: "gw-\(number)", at: Self.now))
          let mine = try await signs.statuses(at: Self.now).signs["gw-\(number)"]
          #expect(mine?.searched.version == "\(number)")
        }
      }
      try await group.waitForAll()
    }
    #expect(try await signs.statuses(at: Self.now).signs.count == 64)
  }
}
