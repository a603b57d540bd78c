import LunaCore
import LunaTesting
import Testing

@testable import LunaBackend

/// What owners fetch stands in nobody's way, and not in each other's.
@Suite(.timeLimit(.minutes(10))) struct PostgreSQLQueriesTests {
  private enum Outcome { case found, refused, other }

  @Test func everyOwnerHasTheirTurn() {
    var turns = PostgreSQLQueryTurns<Int>(share: 1, limit: 4)
    func next() -> Int? { turns.next()?.query }
    func add(_ query: Int, of owner: String) -> Bool { turns.add(query, of: owner) }
    #expect(next() == nil)
    for (query, owner) in ["a", "a", "a", "b"].enumerated() {
      #expect(add(query, of: owner))
    }
    #expect(!add(9, of: "c"))
    #expect(next() == 0)
    // The next of the same owner waits, and lets another one's go first.
    #expect(next() == 3)
    #expect(next() == nil)
    #expect(add(4, of: "c"))
    turns.end(of: "b")
    #expect(next() == 4)
    #expect(next() == nil)
    turns.end(of: "a")
    #expect(next() == 1)
    turns.end(of: "a")
    #expect(next() == 2)
  }

  @Test(.needsPostgreSQL) func nothingElseWaitsBehindOwners() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let (old, new) = (Samples.event(1, day: Samples.today + -1), Samples.event(2))
    #expect(try await storage.ingest(try Samples.identified([old]), at: Samples.now) == [.new])
    #expect(try await storage.ingest(try Samples.identified([new]), at: Samples.now) == [.new])
    // Who asks for yesterday waits for this one.
    let holder = PostgreSQLConnection(settings)
    try holder.execute("BEGIN; LOCK TABLE luna.events_\(old.day.number)")
    let count = 80
    let (refusals, refusal) = AsyncStream.makeStream(of: Void.self)
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      for owner in 0..<count {
        group.addTask {
          do throws(StorageError) {
            let found = try await storage.events(
              heids: [old.heid], days: old.day...old.day, after: nil, limit: 9,
              for: "owner \(owner)")
            return found.map(\.event.event) == [old] ? .found : .other
          } catch {
            // Those that run have 5 s.
            guard error.kind == .overloaded else { return .other }
            refusal.yield()
            return .refused
          }
        }
      }
      for await _ in refusals { break }
      let more = try Samples.identified([Samples.event(3), new])
      #expect(try await storage.ingest(more, at: Samples.now) == [.new, .known])
      #expect(try await storage.token("none") == nil)
      try await storage.touch("kitchen", report: nil, at: Samples.now)
      try await storage.health()
      try holder.execute("ROLLBACK")
      let outcomes = try await group.reduce(into: []) { $0.append($1) }
      #expect(outcomes.contains(.found))
      #expect(outcomes.count { $0 == .refused } <= count - PostgreSQLQueries.limit)
    }
    // And all is as it was.
    let found = try await storage.events(
      heids: [old.heid], days: old.day...old.day, after: nil, limit: 9)
    #expect(found.map(\.event.event) == [old])
  }

  /// What is held up by somebody else.
  enum Held: CaseIterable, Sendable {
    case reads
    case changes

    fileprivate var statement: String {
      switch self {
      case .reads: "LOCK TABLE luna.samples"
      case .changes: "INSERT INTO luna.holders(role, name) VALUES('serial', '')"
      }
    }
  }

  /// What people look for, or change, leaves a connection to those who upload.
  @Test(.needsPostgreSQL, arguments: Held.allCases)
  func nothingElseWaitsBehindPeople(held: Held) async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let (holder, watcher) = (PostgreSQLConnection(settings), PostgreSQLConnection(settings))
    try holder.execute("BEGIN; DELETE FROM luna.holders; \(held.statement)")
    let ended = Watched(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          switch held {
          case .reads:
            _ = try? await storage.read { work throws(StorageError) in
              try work.rows("SELECT count(*) FROM luna.samples")
            }
          case .changes:
            _ = try? await storage.transaction { work throws(StorageError) in
              try work.rows("SELECT count(*) FROM luna.samples")
            }
          }
          ended.withLock { $0 += 1 }
        }
      }
      try await waitUntil {
        try watcher.run(
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'
          """
        ).integer(0, 0) > 0
      }
      let events = try Samples.identified([Samples.event(1)])
      #expect(try await storage.ingest(events, at: Samples.now) == [.new])
      #expect(try await storage.token("none") == nil)
      try await storage.touch("kitchen", report: nil, at: Samples.now)
      try await storage.health()
      #expect(ended.value == 0)
      try holder.execute("ROLLBACK")
      try await group.waitForAll()
    }
  }
}
