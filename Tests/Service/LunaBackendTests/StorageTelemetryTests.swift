import Bluetooth
import LunaCore
import Testing

@testable import LunaBackend

/// What every storage does with telemetry.
@Suite(.timeLimit(.minutes(10))) struct StorageTelemetryTests {
  private static func item(
    _ number: Int, key: String = "a.b", value: String = "1", count: Int64 = 1,
    at seconds: Int64 = 0,
    rejection: TelemetryRejection? = nil
  ) -> NewTelemetry.Item {
    NewTelemetry.Item(
      id: TelemetryID(high: 7, low: UInt64(number)), time: Samples.later(seconds), key: key,
      value: value, count: count, rejection: rejection)
  }

  private static func telemetry(
    _ items: [NewTelemetry.Item], holder: String = "gateway:kitchen"
  ) -> NewTelemetry { NewTelemetry(holder: holder, items: items) }

  private static let hour = Samples.now.microseconds / 3_600_000_000

  @Test(arguments: StorageKind.available)
  func keepsEachItemOnce(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let items = [Self.item(1, value: "5", count: 2), Self.item(2), Self.item(1)]
    #expect(
      try await storage.add(Self.telemetry(items), at: Samples.now) == [true, true, false])
    #expect(
      try await storage.add(Self.telemetry(items), at: Samples.now) == [false, false, false])
    // Others have names of their own.
    for holder in ["gateway:hall", "owner:kitchen", "kitchen"] {
      let other = Self.telemetry([Self.item(1)], holder: holder)
      #expect(try await storage.add(other, at: Samples.now) == [true])
    }
    let sums = try await storage.telemetrySums(of: "a.b", hours: Self.hour...Self.hour)
    #expect(sums.map(\.sums.count) == [6])
    #expect(sums.map(\.sums.sum) == [14])
  }

  @Test(arguments: StorageKind.available)
  func usesUpTheNamesOfWhatIsRejected(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let bad = Self.telemetry([Self.item(1, key: "no key!", rejection: .key)])
    #expect(try await storage.add(bad, at: Samples.now) == [true])
    #expect(try await storage.add(Self.telemetry([Self.item(1)]), at: Samples.now) == [false])
    let sums = try await storage.telemetrySums(of: "no key!", hours: 0...Self.hour)
    #expect(sums.isEmpty)
  }

  @Test(arguments: StorageKind.available)
  func addsUpAtOnce(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let items = (0..<10).map {
            Self.item(number * 10 + $0, value: "2", at: 3600 * Int64($0 % 2))
          }
          _ = try await storage.add(Self.telemetry(items), at: Samples.now)
        }
      }
      try await group.waitForAll()
    }
    let sums = try await storage.telemetrySums(of: "a.b", hours: 0...Self.hour + 1)
    #expect(sums.map(\.sums.count) == [80, 80])
    #expect(sums.map(\.sums.sum) == [160, 160])
  }

  @Test(arguments: StorageKind.available)
  func keepsTheNewestHealth(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    var report = HealthReport()
    report.version = "1.2"
    report.diskFreeMiB = 50
    report.families = ["tile": 3]
    try await storage.note(HealthReport(), of: "kitchen", at: Samples.later(-60))
    try await storage.note(report, of: "kitchen", at: Samples.now)
    try await storage.note(HealthReport(), of: "hall", at: Samples.now)
    #expect(try await storage.healths().map(\.gateway) == ["hall", "kitchen"])
    let health = try #require(try await storage.health(of: "kitchen"))
    #expect(health.report == report && health.time == Samples.now)
    #expect(health.verdict == .bad && health.reasons == [.diskFull])
    #expect(try await storage.health(of: "attic") == nil)
  }

  @Test(arguments: StorageKind.available)
  func keepsSamplesOnceAndSumsThem(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let samples = (0..<24).map { index in
      var report = HealthReport()
      report.queueDepth = Int64(index)
      report.advertisers = 10
      return HealthSample(time: Samples.later(Int64(index) * 300 - 7200), health: report)
    }
    try await storage.add(Array(samples.prefix(20)), of: "kitchen", at: Samples.now)
    try await storage.add(samples, of: "kitchen", at: Samples.now)
    let all = Samples.later(-1_000_000)...Samples.later(1_000_000)
    let fine = try await storage.samples(of: "kitchen", .fiveMinutes, all, limit: 100)
    #expect(fine.map(\.time) == samples.map(\.time))
    let hours = try await storage.samples(of: "kitchen", .hour, all, limit: 100)
    #expect(hours.map(\.sample.count) == [12, 12])
    #expect(hours.map { $0.sample[.queueDepth] } == [11, 23])
    let days = try await storage.samples(of: "kitchen", .day, all, limit: 100)
    #expect(days.map(\.sample.count) == [24])
    #expect(days.first?.sample[.advertisers] == 10)
    // Those that cannot be of now.
    try await storage.add(
      [-9 * 86_400, 3600].map {
        HealthSample(time: Samples.later($0), health: HealthReport())
      }, of: "kitchen", at: Samples.now)
    #expect(
      try await storage.samples(of: "kitchen", .fiveMinutes, all, limit: 100).count == 24)
  }

  @Test(arguments: StorageKind.available)
  func sumsSamplesThatComeAtOnce(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask {
          let samples = [0, 3600].map {
            HealthSample(
              time: Samples.later(Int64(number) * 10 - $0), health: HealthReport())
          }
          try await storage.add(samples, of: "kitchen", at: Samples.now)
        }
      }
      try await group.waitForAll()
    }
    let all = Samples.later(-1_000_000)...Samples.later(1_000_000)
    for (step, counts) in [(SampleStep.fiveMinutes, 48), (.hour, 2), (.day, 1)] {
      let found = try await storage.samples(of: "kitchen", step, all, limit: 100)
      #expect(found.count == counts)
      #expect(found.reduce(0) { $0 + $1.sample.count } == 48)
    }
  }

  @Test(arguments: StorageKind.available)
  func knowsWhatHasRisenWithinAnHour(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    var report = HealthReport()
    report.eventsLost = 5
    try await storage.add(
      [HealthSample(time: Samples.later(-1800), health: report)], of: "kitchen", at: Samples.now)
    try await storage.note(report, of: "kitchen", at: Samples.now)
    #expect(try await storage.health(of: "kitchen")?.verdict == .ok)
    report.eventsLost = 6
    try await storage.note(report, of: "kitchen", at: Samples.now)
    #expect(try await storage.health(of: "kitchen")?.reasons == [.eventsLost])
    // After an hour that is over.
    try await storage.note(report, of: "kitchen", at: Samples.later(3600))
    #expect(try await storage.health(of: "kitchen")?.verdict == .ok)
  }

  @Test(arguments: StorageKind.available)
  func dropsWhatIsOld(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let day: Int64 = 86_400
    _ = try await storage.add(Self.telemetry([Self.item(1)]), at: Samples.now)
    for name in ["attic", "kitchen"] {
      try await storage.add(
        [HealthSample(time: Samples.now, health: HealthReport())], of: name, at: Samples.now)
      try await storage.note(HealthReport(), of: name, at: Samples.now)
    }
    let all = Samples.later(-40 * day)...Samples.later(40 * day)
    func counts() async throws -> [Int] {
      var counts: [Int] = []
      for step in SampleStep.allCases {
        counts.append(try await storage.samples(of: "kitchen", step, all, limit: 10).count)
      }
      return counts
    }
    try await storage.pruneTelemetry(at: Samples.later(2 * day))
    #expect(try await counts() == [1, 1, 1])
    #expect(try await storage.add(Self.telemetry([Self.item(1)]), at: Samples.now) == [false])
    try await storage.pruneTelemetry(at: Samples.later(2 * day + 1))
    #expect(try await counts() == [0, 1, 1])
    try await storage.pruneTelemetry(at: Samples.later(9 * day))
    #expect(
      try await storage.add(Self.telemetry([Self.item(1)]), at: Samples.later(9 * day)) == [true])
    try await storage.pruneTelemetry(at: Samples.later(31 * day))
    #expect(try await counts() == [0, 0, 1])
    #expect(try await storage.healths().count == 2)
    try await storage.pruneTelemetry(at: Samples.later(399 * day))
    #expect(try await storage.telemetrySums(of: "a.b", hours: 0...Int64.max).count == 1)
    try await storage.pruneTelemetry(at: Samples.later(401 * day))
    #expect(try await counts() == [0, 0, 0])
    #expect(try await storage.healths().isEmpty)
    #expect(try await storage.telemetrySums(of: "a.b", hours: 0...Int64.max).isEmpty)
  }
}
