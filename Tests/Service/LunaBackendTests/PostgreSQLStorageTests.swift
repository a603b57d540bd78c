import Bluetooth
import Foundation
import Glibc
import LunaCore
import LunaTesting
import Synchronization
import Testing

@testable import LunaBackend

/// What is so with PostgreSQL alone.
@Suite(.timeLimit(.minutes(10))) struct PostgreSQLStorageTests {
  @Test(.needsPostgreSQL) func goesOnWhenConnectionsAreLost() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let events = try Samples.identified((0..<20).map { Samples.event($0) })
    for event in events {
      #expect(try await storage.ingest([event], at: Samples.now) == [.new])
      try server.disconnect(settings)
    }
    #expect(try await storage.ingest(events, at: Samples.now).allSatisfy { $0 == .known })
    try await storage.health()
  }

  /// However many there are, no statement takes long: otherwise none would ever leave.
  @Test(.needsPostgreSQL) func oldCommandsLeavePieceByPiece() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let count = 2 * PostgreSQLStorage.piece + 1
    let admin = PostgreSQLConnection(settings)
    try admin.execute(
      """
      CREATE TABLE luna.pieces(size int8 NOT NULL);
      CREATE FUNCTION luna.note_piece() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO luna.pieces SELECT count(*) FROM gone; RETURN NULL; END $$;
      CREATE TRIGGER note_piece AFTER DELETE ON luna.commands REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION luna.note_piece();
      INSERT INTO luna.commands(id, owner, created, expires)
        SELECT decode(lpad(to_hex(n), 32, '0'), 'hex'), 'me', 0, 0 FROM generate_series(1, \(count)) AS n;
      """)
    _ = try await storage.prune(before: Samples.today + -1, at: Samples.now)
    let sizes = try admin.run("SELECT sum(size)::int8, max(size) FROM luna.pieces")
    #expect(sizes.integer(0, 0) == Int64(count))
    #expect(sizes.integer(0, 1) == Int64(PostgreSQLStorage.piece))
  }

  /// A server that has few connections to give gives one for one.
  @Test func connectsOnce() async throws {
    let (listener, port) = try #require(loopbackSocket(backlog: 8))
    defer { close(listener) }
    // Ends each connection as a server does that has too many.
    let count = Atomic(0)
    let server = Thread {
      while case let one = accept(listener, nil, nil), one >= 0 {
        count.add(1, ordering: .relaxed)
        var request = [UInt8](repeating: 0, count: 1024)
        _ = recv(one, &request, request.count, 0)
        close(one)
      }
    }
    server.start()
    let storage = try PostgreSQLStorage(
      "host=127.0.0.1 port=\(port) dbname=x sslmode=disable gssencmode=disable")
    await #expect {
      try await storage.migrate()
    } throws: { ($0 as? StorageError)?.kind == .unavailable }
    shutdown(listener, Int32(SHUT_RDWR))
    #expect(count.load(ordering: .relaxed) == 1)
  }

  /// A database that somebody else looks after needs no right to change it, and is served.
  @Test(.needsPostgreSQL) func servesWithoutTheRightToChangeTables() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let master = try PostgreSQLStorage(settings)
    try await master.prepare()
    let role = "only_serves"
    try PostgreSQLConnection(settings).execute(
      """
      DO $$ BEGIN CREATE ROLE \(role) LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      GRANT USAGE ON SCHEMA luna TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA luna TO \(role);
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA luna TO \(role);
      """)
    let storage = try PostgreSQLStorage(
      settings.split(separator: " ").map { $0.hasPrefix("user=") ? "user=\(role)" : String($0) }
        .joined(separator: " "))
    try await storage.migrate()
    let events = try Samples.identified([
      Samples.event(1), Samples.event(2, day: Samples.today + -20),
    ])
    #expect(try await storage.ingest(events, at: Samples.now) == [.new, .unplaced])
    try await storage.health()
    await #expect {
      try await storage.makeRoom(for: Samples.today + -20...Samples.today)
    } throws: { ($0 as? StorageError)?.kind == .denied }
    // What is there already needs no right.
    try await storage.makeRoom(for: Samples.today...Samples.today)
  }

  /// As one is that takes over, until it has.
  @Test(.needsPostgreSQL) func waitsForAServerThatIsReadOnly() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let events = try Samples.identified([Samples.event(1)])
    func become(_ change: String) throws {
      let admin = PostgreSQLConnection(settings)
      try admin.execute("BEGIN READ WRITE")
      try admin.execute(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I \(change)', current_database()); END $$")
      try admin.execute("COMMIT")
      try server.disconnect(settings)
    }
    try become("SET default_transaction_read_only = on")
    await #expect {
      _ = try await storage.ingest(events, at: Samples.now)
    } throws: { ($0 as? StorageError)?.kind == .unavailable }
    await #expect {
      try await storage.health()
    } throws: { ($0 as? StorageError)?.kind == .unavailable }
    try become("RESET default_transaction_read_only")
    #expect(try await storage.ingest(events, at: Samples.now) == [.new])
    try await storage.health()
  }

  @Test func saysThatNobodyIsThere() async throws {
    let storage = try PostgreSQLStorage("host=/nowhere/at/all dbname=x")
    await #expect {
      try await storage.migrate()
    } throws: { ($0 as? StorageError)?.kind == .unavailable }
  }

  /// The date of this machine plays no part where processes on several share a database.
  @Test(.needsPostgreSQL) func goesByTheTimeOfTheDatabase() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let storage = try PostgreSQLStorage(try server.newDatabase())
    #expect(storage.time == nil)
    var configuration = BackendConfiguration()
    configuration.now = { Samples.later(-86_400 * 10_000) }
    let timed = BackendServer.timed(configuration, by: storage)
    #expect(timed.now() == configuration.now(), "nobody has asked yet")
    try await storage.migrate()
    // Both are of this machine here.
    let way = timed.now().microseconds - SystemTime.now().microseconds
    #expect(way.magnitude < 60_000_000)
    try await storage.health()
    let place = try StoragePlace(.sqlite)
    let file = try await place.prepared()
    #expect(BackendServer.timed(configuration, by: file).now() == configuration.now())
  }
}
