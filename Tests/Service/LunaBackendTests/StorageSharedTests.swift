import Diagnosis
import LunaCore
import Testing
import WebAccess

@testable import LunaBackend

/// What all processes on one database go by, and one alone with a file.
@Suite(.timeLimit(.minutes(10))) struct StorageSharedTests {
  private func configuration(
    _ values: [SharedSetting: Int] = [:]
  ) -> BackendConfiguration {
    var configuration = BackendConfiguration()
    for (setting, value) in values { configuration[setting] = value }
    return configuration
  }

  private func agreed(
    _ storage: any Storage, _ given: [SharedSetting: Int] = [:], isKept: Bool = true
  ) async throws -> [SharedSetting: Int] {
    let result = try await storage.agree(
      on: configuration(given), given: Set(given.keys), isKept: isKept)
    return Dictionary(uniqueKeysWithValues: SharedSetting.allCases.map { ($0, result[$0]) })
  }

  @Test func everySettingIsOneOfTheConfiguration() {
    for (number, setting) in SharedSetting.allCases.enumerated() {
      let one = configuration([setting: 10 + number])
      for other in SharedSetting.allCases {
        #expect(one[other] == (other == setting ? 10 + number : BackendConfiguration()[other]))
      }
      #expect(setting.range.contains(BackendConfiguration()[setting]))
    }
  }

  @Test func withAFileTheProcessRules() async throws {
    let place = try StoragePlace(.sqlite)
    let storage = try await place.prepared()
    for days in [30, 400] {
      #expect(try await agreed(storage, [.retention: days])[.retention] == days)
    }
    #expect(try await storage.sharedSettings().isEmpty)
  }

  @Test(.needsPostgreSQL) func onADatabaseTheFirstOneSaysAndOthersFollow() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let storage = try PostgreSQLStorage(try server.newDatabase())
    try await storage.prepare()
    // Who only looks keeps nothing.
    #expect(try await agreed(storage, [.retention: 9], isKept: false)[.retention] == 9)
    #expect(try await storage.sharedSettings().isEmpty)
    let first = try await agreed(storage, [.retention: 400, .openCommands: 7])
    #expect(first[.retention] == 400 && first[.openCommands] == 7)
    #expect(try await storage.sharedSettings() == first)
    #expect(try await agreed(storage) == first)
    #expect(try await agreed(storage, [.openCommands: 7]) == first)
    for isKept in [true, false] {
      await #expect {
        _ = try await agreed(storage, [.retention: 30, .openCommands: 7], isKept: isKept)
      } throws: { error in
        let error = error as? StorageError
        return error?.kind == .differs && error?.reason.contains("400") == true
      }
    }
    #expect(try await storage.sharedSettings() == first)
    // For all of them.
    try await storage.change([.retention: 30])
    #expect(try await agreed(storage, [.retention: 30])[.openCommands] == 7)
    // It is none of those that browsers see.
    #expect(
      Setting.all.allSatisfy { setting in
        !SharedSetting.allCases.contains { $0.row == setting.name }
      })
  }

  @Test(.needsPostgreSQL) func whoIsRefusedHasKeptNothing() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let storage = try PostgreSQLStorage(try server.newDatabase())
    try await storage.prepare()
    // As a version had left it that knew only this one.
    try await storage.change([.retention: 400])
    await #expect(throws: StorageError.self) {
      _ = try await agreed(storage, [.retention: 30, .openCommands: 7])
    }
    #expect(try await storage.sharedSettings() == [.retention: 400])
    #expect(try await agreed(storage)[.openCommands] == BackendConfiguration().openCommandsPerOwner)
  }

  @Test(.needsPostgreSQL) func aProcessFollowsWhileItRuns() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let storage = try PostgreSQLStorage(try server.newDatabase())
    try await storage.prepare()
    let api = API(
      try await storage.agree(on: configuration([.retention: 5]), given: [.retention]), storage,
      Metrics(), .none, StorageOutage(.none), BrowserGuard(.off))
    await api.follow()
    #expect(api.agreed[.retention] == 5)
    try await storage.change([.retention: 20, .eventsPerIdentifier: 1, .eventsPerSecond: 1])
    await api.follow()
    #expect(api.agreed[.retention] == 20 && api.agreed[.openCommands] == 1000)
    #expect(api.heids.take(Samples.heid(1), at: 0))
    #expect(!api.heids.take(Samples.heid(1), at: 0))
    #expect(api.events.take(20, for: "g") == nil)
    #expect(api.events.take(20, for: "g") != nil)
    // A longer one had its days made first.
    let today = Day(storage.now)
    let event = try Samples.identified([Samples.event(1, day: today + -20)])
    #expect(try await storage.ingest(event, at: storage.now) == [.new])
    #expect(try await storage.eventCount(of: today + -20) == 1)
    #expect(try await storage.eventCount(of: today + -19) == 0)
  }

  /// Whatever a process believes, no day is dropped that all have agreed to keep.
  @Test(.needsPostgreSQL) func noProcessDropsWhatOthersKeep() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let storage = try PostgreSQLStorage(try server.newDatabase())
    try await storage.prepare()
    try await storage.makeRoom(for: Samples.today + -12...Samples.today)
    let events = try Samples.identified(
      [12, 10, 3].map { Samples.event($0, day: Samples.today + -Int32($0)) })
    #expect(try await storage.ingest(events, at: Samples.now) == [.new, .new, .new])
    try await storage.change([.retention: 10])
    _ = try await storage.prune(before: Samples.today + -1, at: Samples.now)
    let found = try await storage.events(
      heids: events.map(\.event.heid), days: Samples.today + -30...Samples.today, after: nil,
      limit: 9)
    #expect(Set(found.map(\.event)) == Set(events[1...]))
  }
}
