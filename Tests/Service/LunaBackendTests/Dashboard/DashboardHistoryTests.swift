import Bluetooth
import LunaCore
import LunaFleet
import LunaJSON
import Testing

@testable import LunaBackend

/// What dashboards show over time, out of every storage.
@Suite(.timeLimit(.minutes(10))) struct DashboardHistoryTests {
  /// Pairs of an hour of the day and a value, of the first line.
  private static func points(_ json: JSONValue) -> [String: Double] {
    guard case .object(let object) = json, case .array(let series)? = object["series"],
      case .object(let line)? = series.first, case .array(let points)? = line["points"]
    else { return [:] }
    var values: [String: Double] = [:]
    for point in points {
      guard case .object(let point) = point, case .string(let time)? = point["time"],
        case .real(let value)? = point["value"], value != 0
      else { continue }
      values[String(time.dropFirst(5).prefix(8))] = value
    }
    return values
  }

  private static func sample(_ seconds: Int64, _ rate: Double) -> HealthSample {
    var report = HealthReport()
    report.packetsPerSecond = rate
    return HealthSample(time: Samples.later(seconds), health: report)
  }

  @Test(arguments: StorageKind.available)
  func addsUpSamplesOfPresentGateways(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let fleet = FleetStore(storage: storage)
    for key in ["a", "b", "gone"] {
      try await fleet.adopt(key, at: Samples.now)
      try await storage.add(
        [Self.sample(-7200, 10), Self.sample(-7100, 20), Self.sample(-300, 6)], of: key,
        at: Samples.now)
    }
    let id = try #require(
      try await fleet.read(at: Samples.now) { work throws(FleetFailure) in
        try work.gateways(where: "key = $1", [.text("gone")]).first?.id
      })
    _ = try await fleet.change(by: "ann", at: Samples.now) { work throws(FleetFailure) in
      try work.remove(id)
    }
    let history = DashboardHistory(storage)
    func packets(_ range: DashboardRange) async throws -> [String: Double] {
      Self.points(
        try await history.widget("packets", range, keys: ["a", "b"], at: Samples.now))
    }
    #expect(try await packets(.day) == ["11-21T10": 30, "11-21T11": 12])
    #expect(try await packets(.hour) == ["11-21T11": 12])
    #expect(try await packets(.month) == ["11-21T00": 24])
    // It is kept for a while.
    try await storage.add([Self.sample(-200, 4)], of: "a", at: Samples.now)
    #expect(try await packets(.hour) == ["11-21T11": 12])
  }

  /// A database may have small letters before capitals, where texts here have them the other way round.
  @Test(arguments: StorageKind.available)
  func addsUpManyWhateverTheOrderOfTheDatabase(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    if kind != .sqlite {
      try await storage.transaction { work throws(StorageError) in
        _ = try work.change(#"ALTER TABLE luna.fleet ALTER key TYPE TEXT COLLATE "en-x-icu""#)
      }
    }
    let keys = (0..<150).flatMap { ["B\($0)", "a\($0)"] }
    try await storage.add([Self.sample(-300, 2)], of: "a0", at: Samples.now)
    try await storage.transaction { work throws(StorageError) in
      for (index, key) in keys.enumerated() {
        try work.change(
          """
          INSERT INTO luna.fleet(id, key, folded, revision, change, fields, hardware, created)
          VALUES($1, $2, $1, 1, 0, '{}', '{}', 0)
          """, [.text(String(index)), .text(key)])
      }
      try work.change(
        """
        INSERT INTO luna.samples(gateway, step, time, count, data)
        SELECT f.key, s.step, s.time, s.count, s.data FROM luna.fleet AS f, luna.samples AS s
        WHERE f.key <> 'a0'
        """)
    }
    let shown = try await DashboardHistory(storage).widget(
      "packets", .day, keys: keys, at: Samples.now)
    #expect(Self.points(shown) == ["11-21T11": 600])
  }

  @Test(arguments: StorageKind.available)
  func countsKeysAndWhatTheServerSaw(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let items = [0, -3600, -3700].enumerated().map { index, seconds in
      NewTelemetry.Item(
        id: TelemetryID(high: 7, low: UInt64(index)), time: Samples.later(Int64(seconds)),
        key: "luna.a", value: "1", count: 2, rejection: nil)
    }
    _ = try await storage.add(NewTelemetry(holder: "x", items: items), at: Samples.now)
    for _ in 0..<3 {
      try await storage.count(DashboardHistory.failedSignIns, at: Samples.later(-3600))
    }
    let history = DashboardHistory(storage)
    func points(_ name: String, _ range: DashboardRange = .day) async throws -> [String: Double] {
      Self.points(try await history.widget(name, range, keys: [], at: Samples.now))
    }
    #expect(try await points("key:luna.a") == ["11-21T12": 2, "11-21T11": 2, "11-21T10": 2])
    #expect(try await points("key:luna.a", .hour) == ["11-21T12": 2, "11-21T11": 2])
    #expect(try await points("key:luna.a", .month) == ["11-21T00": 6])
    #expect(try await points("key:luna.b") == [:])
    #expect(try await points("failedSignIns") == ["11-21T11": 3])
  }

  @Test(arguments: StorageKind.available)
  func countsUnknownDevicesThatStay(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let fleet = FleetStore(storage: storage)
    try await fleet.adopt("a", at: Samples.now)
    func report(_ ref: String, _ band: DeviceBand) -> DeviceReport {
      DeviceReport(
        ref: ref, family: "ibeacon", first: Samples.now, last: Samples.now,
        hours: HeardHours(bits: 0b1000_0001_1111, at: Samples.now), band: band)
    }
    let reports = [report("0011223344556677", .near), report("0011223344556678", .far)]
    _ = try await fleet.change(by: "", at: Samples.now) { work throws(FleetFailure) in
      try work.hear(reports, by: "a")
    }
    let history = DashboardHistory(storage)
    let points = Self.points(
      try await history.widget("unauthorised", .day, keys: ["a"], at: Samples.now))
    #expect(
      points == [
        "11-21T12": 1, "11-21T11": 1, "11-21T10": 1, "11-21T09": 1, "11-21T08": 1, "11-21T01": 1,
      ])
  }
}
