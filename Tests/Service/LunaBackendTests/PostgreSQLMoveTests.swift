import Bluetooth
import EventLoop
import LunaCore
import LunaProtocol
import LunaTesting
import Testing

@testable import LunaBackend

/// Events of the version whose keys were bytes are moved while everything goes on.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(10))) struct PostgreSQLMoveTests {
  private static let today = Samples.today
  /// More than are made with the new table.
  private static let count = 50

  /// A database of the version before, with two events of each day.
  private func before() throws -> (settings: String, events: [IdentifiedEvent]) {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let connection = PostgreSQLConnection(settings)
    let version = try #require(
      PostgreSQLSchema.steps.firstIndex(of: PostgreSQLEventsSchema.step))
    try PostgreSQLSchema.migrate(connection, upTo: version)
    let events = try Samples.identified(
      (0..<2 * Self.count).map {
        Samples.event($0 % 20, copy: UInt8($0 / 20), day: Self.today + -Int32($0 % Self.count))
      })
    try connection.keepAsBefore(events)
    return (settings, events)
  }

  /// All events, in small pages.
  private func pages(_ storage: PostgreSQLStorage) async throws -> [IdentifiedEvent] {
    var found: [IdentifiedEvent] = []
    var position: EventPosition?
    repeat {
      let page = try await storage.events(
        heids: (0..<40).map { Samples.heid($0) }, days: Self.today + -100...Self.today,
        after: position, limit: 7)
      found += page.map(\.event)
      position = page.count < 7 ? nil : page.last.map { EventPosition($0.event) }
    } while position != nil
    return found
  }

  /// What is missing, and what is there twice or should not be.
  private static func difference(_ found: [IdentifiedEvent], _ all: [IdentifiedEvent]) -> String {
    func names(_ events: [IdentifiedEvent]) -> [String] {
      events.map { "\($0.event.day.number)/\($0.event.heid)" }
    }
    let missing = all.filter { !found.contains($0) }
    var rest = found
    for event in all { rest.firstIndex(of: event).map { _ = rest.remove(at: $0) } }
    return "missing: \(names(missing)); too many: \(names(rest))"
  }

  private func ordered(_ events: [IdentifiedEvent]) -> [IdentifiedEvent] {
    events.sorted { left, right in
      let (a, b) = (EventPosition(left), EventPosition(right))
      return (a.heid.high, a.heid.low, a.day, a.id) < (b.heid.high, b.heid.low, b.day, b.id)
    }
  }

  private func waitUntilMoved(_ settings: String) async throws {
    let admin = PostgreSQLConnection(settings)
    try await waitUntil {
      try admin.run("SELECT count(*) FROM pg_class WHERE relname ~ '^events_old_[0-9]+$'")
        .integer(0, 0) == 0
    }
  }

  private func total(_ settings: String) throws -> Int64 {
    try PostgreSQLMoveTests.eventCount(PostgreSQLConnection(settings))
  }

  @Test func nothingIsLostOrDoubledMeanwhile() async throws {
    let (settings, events) = try before()
    let storages = try (0..<2).map { _ in try PostgreSQLStorage(settings) }
    for storage in storages { try await storage.migrate() }
    let fresh = try Samples.identified([Samples.event(30)])
    let all = ordered(events + fresh)
    #expect(try await storages[0].ingest(events + fresh, at: Samples.now).last == .new)
    for storage in storages {
      #expect(try await pages(storage) == all)
      #expect(
        try await storage.ingest(events + fresh, at: Samples.now).allSatisfy { $0 == .known })
    }
    // Of a day that has no place yet, what is there is known all the same.
    let late = try Samples.identified([Samples.event(31, day: Self.today + -49)])
    #expect(
      try await storages[0].ingest([events[49]] + late, at: Samples.now) == [.known, .unplaced])
    #expect(try await storages[0].eventCount(of: Self.today) == 3)
    // As somebody has left it who was cut off between a piece and the next one.
    try PostgreSQLConnection(settings).execute(
      """
      INSERT INTO luna.events(received, day, esf, version, heid, event_id, location)
      SELECT received, day, esf, version, encode(heid, 'hex')::uuid, encode(event_id, 'hex')::uuid, location
      FROM luna.events_old WHERE day = \(Self.today.number) LIMIT 1
      """)
    #expect(try await pages(storages[1]) == all)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for storage in storages {
        group.addTask {
          _ = try await storage.prune(before: Self.today + -49, at: Samples.now)
        }
      }
      // Whatever has been moved, and whatever has not.
      for _ in 0..<20 {
        for storage in storages {
          let found = try await pages(storage)
          #expect(found == all, "\(Self.difference(found, all))")
        }
        let answers = try await storages[1].ingest(events, at: Samples.now)
        #expect(answers.allSatisfy { $0 == .known })
      }
      try await group.waitForAll()
    }
    try await waitUntilMoved(settings)
    for storage in storages {
      #expect(try await pages(storage) == all)
      #expect(
        try await storage.ingest(events + fresh, at: Samples.now).allSatisfy { $0 == .known })
      try await storage.health()
    }
    #expect(try total(settings) == Int64(all.count))
    let found = try await storages[0].events(
      heids: [events[0].event.heid], days: Self.today...Self.today, after: nil, limit: 9)
    #expect(found.allSatisfy { $0.receivedAt == Samples.now })
  }

  /// What a session of PostgreSQL has found out of a table while a day came it goes by for ever, unless it is reminded.
  @Test func whoLookedWhileADayCameFindsItOnceItIsMoved() async throws {
    let (settings, events) = try before()
    let storage = try PostgreSQLStorage(settings)
    try await storage.migrate()
    let reader = PostgreSQLConnection(settings)
    try reader.execute("SET statement_timeout = 0")
    let process = try reader.run("SELECT pg_backend_pid()").integer(0, 0)
    #expect(try PostgreSQLMoveTests.eventCount(reader) == 0)
    // All days but one are there, some of them unknown to the reader.
    let late = Self.today.number - 47
    try await storage.makeRoom(for: Self.today + -49...Self.today + -48)
    try await storage.makeRoom(for: Self.today + -46...Self.today + 14)
    let (first, second) = (PostgreSQLConnection(settings), PostgreSQLConnection(settings))
    try second.execute("CREATE TABLE luna.events_\(late) (LIKE luna.events INCLUDING ALL)")
    func isReaderWaiting(for table: String, _ connection: PostgreSQLConnection) throws -> Bool {
      try connection.run(
        """
        SELECT 1 FROM pg_locks
        WHERE NOT granted AND pid = \(process) AND relation = '\(table)'::regclass
        """
      ).count > 0
    }
    // Compiled before nobody may read what tables are called.
    #expect(try !isReaderWaiting(for: "pg_class", second))
    // It is held up before it reads which days there are, and after that.
    try first.execute("BEGIN; LOCK TABLE pg_inherits")
    async let count = Blocking.run { () throws(StorageError) in
      try PostgreSQLMoveTests.eventCount(reader)
    }
    try await waitUntil { try isReaderWaiting(for: "pg_inherits", first) }
    try second.execute("BEGIN; LOCK TABLE pg_class")
    try first.execute("ROLLBACK")
    try await waitUntil { try isReaderWaiting(for: "pg_class", second) }
    try second.execute(
      """
      ALTER TABLE luna.events ATTACH PARTITION luna.events_\(late)
      FOR VALUES FROM (\(late)) TO (\(late + 1));
      COMMIT
      """)
    #expect(try await count == 0)
    _ = try await storage.prune(before: Self.today + -49, at: Samples.now)
    try await waitUntilMoved(settings)
    #expect(try PostgreSQLMoveTests.eventCount(reader) == Int64(events.count))
  }

  private static func eventCount(
    _ connection: PostgreSQLConnection
  ) throws(StorageError) -> Int64 {
    try connection.run("SELECT count(*) FROM luna.events").integer(0, 0)
  }

  /// Whatever a killed process has left is moved, too.
  @Test func finishesWhatWasCutOff() async throws {
    let (settings, events) = try before()
    let storage = try PostgreSQLStorage(settings)
    try await storage.migrate()
    let admin = PostgreSQLConnection(settings, for: .days)
    func cutOff(_ number: Int32) throws {
      let reader = PostgreSQLConnection(settings)
      try reader.execute("BEGIN; SELECT count(*) FROM luna.events_old")
      #expect(throws: StorageError.self) {
        try admin.execute(
          """
          ALTER TABLE luna.events_old
          DETACH PARTITION luna.events_old_\(Self.today.number - number) CONCURRENTLY
          """)
      }
      try reader.execute("ROLLBACK")
    }
    try cutOff(3)
    try admin.execute(
      "ALTER TABLE luna.events_old DETACH PARTITION luna.events_old_\(Self.today.number - 3) FINALIZE"
    )
    try cutOff(7)
    _ = try await storage.prune(before: Self.today + -49, at: Samples.now)
    try await waitUntilMoved(settings)
    #expect(try await pages(storage) == ordered(events))
    #expect(try total(settings) == Int64(events.count))
  }

  @Test func dropsWhatIsTooOld() async throws {
    let (settings, events) = try before()
    let storage = try PostgreSQLStorage(settings)
    try await storage.migrate()
    _ = try await storage.prune(before: Self.today + -9, at: Samples.now)
    try await waitUntilMoved(settings)
    let left = events.filter { $0.event.day >= Self.today + -9 }
    #expect(try await pages(storage) == ordered(left))
    #expect(try await storage.ingest([events[20]], at: Samples.now) == [.unplaced])
  }

  /// What is there already is acknowledged when a standby has it (PostgreSQLPatienceTests).
  @Test func whatIsAcknowledgedAgainIsLocked() async throws {
    let (settings, events) = try before()
    let storage = try PostgreSQLStorage(settings)
    try await storage.migrate()
    let admin = PostgreSQLConnection(settings)
    var locks: Set<String> = []
    for _ in 0..<2 {
      #expect(try await storage.ingest([events[0]], at: Samples.now) == [.known])
      let row = try admin.run(
        "SELECT xmax::text FROM luna.events_old WHERE event_id = $1",
        [.bytes(events[0].id.bytes.span.array)])
      locks.insert(row.text(0, 0))
    }
    #expect(locks.count == 2)
  }

  /// Nobody has to wait behind it for longer than a second.
  @Test func waitsForNobodyWhoReads() async throws {
    let (settings, events) = try before()
    let reader = PostgreSQLConnection(settings)
    try reader.execute("BEGIN; SELECT count(*) FROM luna.events")
    let connection = PostgreSQLConnection(settings)
    #expect {
      try PostgreSQLSchema.migrate(connection, pauses: [])
    } throws: { ($0 as? StorageError)?.kind == .unavailable }
    #expect(try PostgreSQLSchema.check(connection) < PostgreSQLSchema.steps.count)
    try reader.execute("ROLLBACK")
    try PostgreSQLSchema.migrate(connection, pauses: [])
    #expect(try await pages(PostgreSQLStorage(settings)) == ordered(events))
  }

  @Test func whoMayServeMayStillServe() async throws {
    let (settings, events) = try before()
    let role = "goes_on_serving"
    try PostgreSQLConnection(settings).execute(
      """
      DO $$ BEGIN CREATE ROLE \(role) LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      GRANT USAGE ON SCHEMA luna TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA luna TO \(role);
      """)
    try await PostgreSQLStorage(settings).migrate()
    let storage = try PostgreSQLStorage(
      settings.split(separator: " ").map { $0.hasPrefix("user=") ? "user=\(role)" : String($0) }
        .joined(separator: " "))
    try await storage.migrate()
    let fresh = try Samples.identified([Samples.event(30)])
    #expect(try await storage.ingest([events[0]] + fresh, at: Samples.now) == [.known, .new])
    #expect(try await pages(storage) == ordered(events + fresh))
  }

  @Test func everyTableHasAPrimaryKey() throws {
    let server = try #require(PostgreSQLServer.shared)
    let connection = PostgreSQLConnection(try server.newDatabase())
    try PostgreSQLSchema.migrate(connection)
    let without = try connection.run(
      """
      SELECT coalesce(string_agg(relname, ' '), '') FROM pg_class c
      WHERE relnamespace = 'luna'::regnamespace AND relkind IN ('r', 'p')
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = c.oid AND contype = 'p')
      """)
    #expect(without.text(0, 0) == "")
    // Without gaps between them.
    let columns = try connection.run(
      """
      SELECT string_agg(attname || ' ' || typname, ', ' ORDER BY attnum)
      FROM pg_attribute JOIN pg_type t ON t.oid = atttypid
      WHERE attrelid = 'luna.events'::regclass AND attnum > 0
      """)
    #expect(
      columns.text(0, 0)
        == "received int8, day int4, esf int4, version int2, heid uuid, event_id uuid, "
        + "location bytea, debug text")
    let old = try connection.run("SELECT to_regclass('luna.events_old') IS NULL")
    #expect(old.bytes(0, 0) == [1], "there is nothing to be moved")
  }
}
