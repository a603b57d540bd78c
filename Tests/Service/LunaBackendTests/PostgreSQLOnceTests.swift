import Synchronization
import Testing

@testable import LunaBackend

/// Each connection notes which of its transactions was the last one that was kept.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(10))) struct PostgreSQLOnceTests {
  /// The server ends the connection at the end of the first transaction, before that is kept.
  @Test func whatWasNotKeptIsDoneAgain() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let storage = try PostgreSQLStorage(settings, connections: 2)
    try await storage.prepare()
    try PostgreSQLConnection(settings).execute(
      """
      CREATE TABLE luna.entries(name text PRIMARY KEY);
      CREATE SEQUENCE luna.ends;
      CREATE FUNCTION luna.cut_off() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('luna.ends') = 1 THEN
            PERFORM pg_terminate_backend(pg_backend_pid());
            PERFORM pg_sleep(60);
          END IF;
          RETURN NULL;
        END $$;
      CREATE CONSTRAINT TRIGGER cut_off AFTER INSERT ON luna.entries
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION luna.cut_off();
      """)
    let attempts = Atomic(0)
    let attempt = try await storage.transaction { work throws(StorageError) -> Int in
      try work.change("INSERT INTO luna.entries(name) VALUES('a')")
      return attempts.add(1, ordering: .relaxed).newValue
    }
    #expect(attempt == 2)
    let names = try await storage.lookUp { work throws(StorageError) in
      try work.rows("SELECT name FROM luna.entries")
    }
    #expect(names == [StorageRow([.text("a")])])
  }

  /// Otherwise a process that stops in its middle would keep all others from what it has locked, for as long as the server
  /// takes its connection for a good one.
  @Test func aTransactionIsNotHeldForEver() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let storage = try PostgreSQLStorage(try server.newDatabase(), connections: 2)
    try await storage.prepare()
    let ask = "SELECT current_setting('idle_in_transaction_session_timeout')"
    let within = try await storage.transaction { work throws(StorageError) in
      try work.rows(ask)
    }
    #expect(within == [StorageRow([.text("10s")])])
  }

  /// Whoever has waited for others sees what they have kept, also where somebody has set a database to something else.
  @Test func whoHasWaitedSeesWhatWasKept() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    try PostgreSQLConnection(settings).execute(
      """
      DO $$ BEGIN
        EXECUTE format(
          'ALTER DATABASE %I SET default_transaction_isolation = %L', current_database(), 'repeatable read');
      END $$;
      """)
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let isolation = try await storage.transaction { work throws(StorageError) in
      try work.rows("SELECT current_setting('transaction_isolation')")
    }
    #expect(isolation == [StorageRow([.text("read committed")])])
  }

  @Test func aConnectionHasOneRow() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    // One is for owners, one for all else.
    let storage = try PostgreSQLStorage(settings, connections: 2)
    try await storage.prepare()
    for number in 1...3 {
      try await storage.transaction { work throws(StorageError) in
        _ = try work.change("DELETE FROM luna.settings")
      }
      let rows = try await storage.lookUp { work throws(StorageError) in
        try work.rows("SELECT length(id)::int8, made FROM luna.outcomes")
      }
      #expect(rows == [StorageRow([.integer(16), .text("\(number)")])])
      // It is there again when it is asked for next, though it was made anew.
      if number == 2 { try server.disconnect(settings) }
    }
    // Those of processes that have ended go with the others that nobody asks for any more.
    try PostgreSQLConnection(settings).execute(
      "INSERT INTO luna.outcomes(id, made, expires) VALUES('\\x01', '7', 1)")
    try await storage.forgetOutcomes(at: Samples.now)
    let rows = try await storage.lookUp { work throws(StorageError) in
      try work.rows("SELECT made FROM luna.outcomes")
    }
    #expect(rows == [StorageRow([.text("4")])])
  }
}
