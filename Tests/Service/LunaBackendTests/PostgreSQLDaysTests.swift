import LunaCore
import LunaTesting
import Testing

@testable import LunaBackend

/// Days are made and dropped apart from all else.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(10))) struct PostgreSQLDaysTests {
  private static let today = Samples.today

  private func attached(_ settings: String) throws -> Set<Day> {
    try PostgreSQLDays.present(PostgreSQLConnection(settings))
  }

  @Test func whatHasNoPlaceIsWantedAndTheRestKept() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let events = try Samples.identified(
      (0..<4).map { Samples.event($0, day: Self.today + -Int32($0)) })
    // Yesterday there is a place, before that not.
    #expect(
      try await storage.ingest(events, at: Samples.now) == [.new, .new, .unplaced, .unplaced])
    // It is being made: whoever comes after has waited for it.
    try await storage.makeRoom(for: Self.today + -3...Self.today)
    #expect(
      try await storage.ingest(events, at: Samples.now) == [.known, .known, .new, .new])
  }

  @Test func twoProcessesLookAfterThemInTurn() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storages = try (0..<2).map { _ in try PostgreSQLStorage(settings) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for storage in storages {
        group.addTask {
          try await storage.migrate()
          _ = try await storage.prune(before: Self.today + -20, at: Samples.now)
        }
      }
      try await group.waitForAll()
    }
    #expect(try attached(settings).count == 20 + 1 + 14)
    let events = try Samples.identified(
      (0..<40).map { Samples.event($0, day: Self.today + -Int32($0 % 10)) })
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for storage in storages {
        group.addTask {
          try await storage.ingest(events, at: Samples.now).count { $0 == .new }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(counts == events.count)
    // One drops a day; the other sees it.
    _ = try await storages[0].prune(before: Self.today + -4, at: Samples.now)
    #expect(try attached(settings).count == 4 + 1 + 14)
    #expect(try await storages[1].ingest([events[9]], at: Samples.now) == [.unplaced])
  }

  /// A long read, as of a dump, holds all that it reads: what cannot leave is told, everything goes on, and once
  /// it is over, what was cut off is finished.
  @Test func aLongReadStopsNobody() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    try await storage.makeRoom(for: Self.today + -9...Self.today)
    let old = try Samples.identified([Samples.event(1, day: Self.today + -9)])
    #expect(try await storage.ingest(old, at: Samples.now) == [.new])
    let reader = PostgreSQLConnection(settings)
    try reader.execute("BEGIN; SELECT count(*) FROM luna.events")
    // Making a day waits for nobody.
    try await storage.makeRoom(for: Self.today + -20...Self.today)
    let outage = StorageOutage(.none)
    let days = PostgreSQLDays(settings, PostgreSQLLink(outage), outage, pauses: [])
    await #expect {
      _ = try await days.drop(before: Self.today + -8, on: Self.today)
    } throws: { ($0 as? StorageError)?.kind == .unavailable }
    #expect(
      try await storage.ingest(try Samples.identified([Samples.event(2)]), at: Samples.now)
        == [.new])
    try reader.execute("ROLLBACK")
    _ = try await days.drop(before: Self.today + -8, on: Self.today)
    #expect(try attached(settings).min() == Self.today + -8)
    // Nothing is left of it, and a day that was dropped can come again.
    try await storage.makeRoom(for: Self.today + -9...Self.today)
    #expect(try await storage.ingest(old, at: Samples.now) == [.new])
  }

  /// Somebody makes the retention longer while a day leaves, which takes as long as somebody reads it.
  @Test func aDayThatIsToStayAfterAllComesBack() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let day = Self.today + -9
    try await storage.makeRoom(for: day...Self.today)
    let old = try Samples.identified([Samples.event(1, day: day)])
    #expect(try await storage.ingest(old, at: Samples.now) == [.new])
    let (reader, admin) = (PostgreSQLConnection(settings), PostgreSQLConnection(settings))
    try reader.execute("BEGIN; SELECT count(*) FROM luna.events")
    let outage = StorageOutage(.none)
    // For as long as it takes.
    let days = PostgreSQLDays(
      settings, PostgreSQLLink(outage), outage, pauses: [Int32](repeating: 100, count: 500))
    async let dropped = days.drop(before: day + 1, on: Self.today)
    try await waitUntil {
      try admin.run(
        "SELECT 1 FROM pg_inherits WHERE inhdetachpending AND inhparent = 'luna.events'::regclass"
      ).count == 1
    }
    try await storage.change([.retention: 30])
    try reader.execute("ROLLBACK")
    #expect(try await dropped == 0)
    #expect(try attached(settings).contains(day))
    #expect(try await storage.ingest(old, at: Samples.now) == [.known])
  }

  /// Whatever a killed process has left, the next one finishes.
  @Test func finishesWhatWasCutOff() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    try await storage.makeRoom(for: Self.today + -6...Self.today)
    let events = try Samples.identified(
      (0..<7).map { Samples.event($0, day: Self.today + -Int32($0)) })
    _ = try await storage.ingest(events, at: Samples.now)
    let admin = PostgreSQLConnection(settings, for: .days)
    func cutOff(_ day: Day) throws {
      // Its second half waits for who reads, and is cut off.
      let reader = PostgreSQLConnection(settings)
      try reader.execute("BEGIN; SELECT count(*) FROM luna.events")
      #expect(throws: StorageError.self) {
        try admin.execute(
          "ALTER TABLE luna.events DETACH PARTITION luna.events_\(day.number) CONCURRENTLY")
      }
      try reader.execute("ROLLBACK")
    }
    // One on its way out, and one that is out and was not dropped.
    try cutOff(Self.today + -5)
    #expect(try !attached(settings).contains(Self.today + -5))
    // While it leaves it takes nothing, and no other one may leave.
    #expect(try await storage.ingest([events[5]], at: Samples.now) == [.unplaced])
    // A longer retention takes back what was leaving, with all that is in it.
    try await storage.makeRoom(for: Self.today + -6...Self.today)
    #expect(try await storage.ingest([events[5]], at: Samples.now) == [.known])
    try cutOff(Self.today + -5)
    try admin.execute(
      "ALTER TABLE luna.events DETACH PARTITION luna.events_\(Self.today.number - 5) FINALIZE")
    try cutOff(Self.today + -6)
    _ = try await storage.prune(before: Self.today + -3, at: Samples.now)
    let left = try admin.run(
      "SELECT count(*) FROM pg_class WHERE relname LIKE 'events\\_%' AND relkind = 'r'")
    #expect(left.integer(0, 0) == 3 + 1 + 14)
    let found = try await storage.events(
      heids: events.map(\.event.heid), days: Self.today + -30...Self.today, after: nil, limit: 99)
    #expect(Set(found.map(\.event)) == Set(events[...3]))
  }
}
