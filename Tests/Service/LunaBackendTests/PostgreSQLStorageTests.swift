#if PostgreSQL
  import Bluetooth
  import LunaCore
  import Testing

  @testable import LunaBackend

  /// What is so with PostgreSQL alone.
  @Suite(.timeLimit(.minutes(10))) struct PostgreSQLStorageTests {
    @Test func goesOnWhenConnectionsAreLost() async throws {
      guard let server = PostgreSQLServer.shared else { return }
      let settings = try server.newDatabase()
      let storage = try PostgreSQLStorage(settings)
      try await storage.migrate()
      let events = try Samples.identified((0..<20).map { Samples.event($0) })
      for event in events {
        #expect(try await storage.ingest([event], at: Samples.now) == [true])
        try server.disconnect(settings)
      }
      #expect(try await storage.ingest(events, at: Samples.now).allSatisfy { !$0 })
      try await storage.health()
    }

    @Test func twoBackendsMakePartitionsAtTheSameTime() async throws {
      guard let server = PostgreSQLServer.shared else { return }
      let settings = try server.newDatabase()
      let storages = try (0..<2).map { _ in try PostgreSQLStorage(settings) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for storage in storages { group.addTask { try await storage.migrate() } }
        try await group.waitForAll()
      }
      let events = try Samples.identified(
        (0..<40).map { Samples.event($0, day: Samples.today + -Int32($0 % 10)) })
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for storage in storages {
          group.addTask { try await storage.ingest(events, at: Samples.now).count { $0 } }
        }
        return try await group.reduce(0, +)
      }
      #expect(counts == events.count)
      // One drops a day whose partition the other still knows of.
      _ = try await storages[0].prune(before: Samples.today + -4, at: Samples.now)
      #expect(try await storages[1].ingest([events[9]], at: Samples.now) == [true])
    }

    @Test func saysThatNobodyIsThere() async throws {
      let storage = try PostgreSQLStorage("host=/nowhere/at/all dbname=x")
      await #expect {
        try await storage.migrate()
      } throws: { ($0 as? StorageError)?.kind == .unavailable }
    }
  }
#endif
