import LunaCore
import LunaProtocol
import LunaTesting
import Testing

@testable import LunaBackend

/// Events that are spread over several servers, see StorageEventTests for all that is as on one.
@Suite(.patient, .timeLimit(.minutes(10))) struct PostgreSQLShardsTests {
  private static let days = Samples.today + -1...Samples.today + 1

  private func bytes(_ events: [IdentifiedEvent]) -> [[UInt8]] {
    events.map { $0.event.heid.bytes.span.array }
  }

  /// All events of some, in small pages.
  private func pages(
    of events: [IdentifiedEvent], _ storage: PostgreSQLStorage
  ) async throws -> [IdentifiedEvent] {
    var found: [IdentifiedEvent] = []
    var position: EventPosition?
    repeat {
      let page = try await storage.events(
        heids: events.map(\.event.heid), days: Self.days, after: position, limit: 7)
      found += page.map(\.event)
      position = page.count < 7 ? nil : page.last.map { EventPosition($0.event) }
    } while position != nil
    return found
  }

  private func ordered(_ events: [IdentifiedEvent]) -> [IdentifiedEvent] {
    events.sorted { left, right in
      let (a, b) = (EventPosition(left), EventPosition(right))
      return (a.heid.high, a.heid.low, a.day, a.id) < (b.heid.high, b.heid.low, b.day, b.id)
    }
  }

  @Test func statementsAreOfFewSizes() {
    let pieces = [1, 2, 3, 7, 8, 511, 512, 1000].map { PostgreSQLShards.piece(of: $0) }
    #expect(pieces == [1, 2, 2, 4, 8, 256, 512, 512])
    #expect(PostgreSQLShards.rows(1) == "VALUES ($2, $3, $4, $5, $6, $7, $8::text, $1)")
    #expect(
      PostgreSQLShards.rows(4).hasSuffix(", ($23, $24, $25, $26, $27, $28, $29::text, $1)"))
  }

  @Test func oneTriesForAllWhatHasFailed() {
    let shards = PostgreSQLShards(StorageOutage(.none))
    let now = ContinuousClock.now
    #expect(shards.isTried(1, at: now))
    shards.failed(1, StorageError(.unavailable, "gone"), since: now, at: now)
    #expect(!shards.isTried(1, at: now))
    #expect(shards.isTried(2, at: now))
    let later = now + PostgreSQLShards.pause
    #expect(shards.isTried(1, at: later))
    #expect(!shards.isTried(1, at: later))
    // Whoever tried it has not come back.
    #expect(shards.isTried(1, at: later + PostgreSQLShards.patience))
    shards.worked(1)
    #expect(shards.isTried(1, at: later))
  }

  @Test(.needsPostgreSQL) func findsOutHowEventsAreKept() throws {
    let server = try #require(PostgreSQLServer.shared)
    func engine(_ settings: String) throws -> PostgreSQLEngine {
      try PostgreSQLConnection(settings).findEngine()
    }
    let settings = try server.newDatabase()
    #expect(try engine(settings) == .plain)
    let connection = PostgreSQLConnection(settings)
    try PostgreSQLSchema.migrate(connection)
    #expect(try engine(settings) == .plain)
    let parts = try PostgreSQLShards.parts(
      of: bytes(try Samples.identified((0..<9).map { Samples.event($0) })), connection)
    #expect(parts.map(\.place) == [0])
    #expect(parts.first?.indices == Array(0..<9))
    #expect(try engine(server.newStandIn()) == .standIn)
    // It may be there for other tables.
    try connection.installCitus()
    #expect(try engine(settings) == .plain)
    try connection.spreadByCitus(over: 4)
    #expect(try engine(settings) == .citus)
  }

  /// Nothing of Citus is here but what it would be asked: what it is told is what one server understands as well.
  @Test(.needsPostgreSQL) func writesByTheBoundsOfCitus() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newDatabase()
    let admin = PostgreSQLConnection(settings)
    try PostgreSQLSchema.migrate(admin)
    try admin.installCitus()
    try admin.spreadByCitus(over: 4)
    let events = try Samples.identified((0..<100).map { Samples.event($0) })
    let heids = bytes(events)
    let parts = try PostgreSQLShards.parts(of: heids, admin)
    #expect(parts.map(\.place) == [1, 2, 3, 4])
    for part in parts {
      for index in part.indices {
        let place = try admin.run(
          "SELECT (uuid_hash($1)::int8 + 2147483648) / 1073741824 + 1", [.uuid(heids[index])])
        #expect(place.integer(0, 0) == part.place)
      }
    }
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    #expect(try await storage.ingest(events, at: Samples.now).allSatisfy { $0 == .new })
    // What is acknowledged again is locked (PostgreSQLPatienceTests).
    var locks: Set<String> = []
    for _ in 0..<2 {
      #expect(try await storage.ingest(events, at: Samples.now).allSatisfy { $0 == .known })
      let row = try admin.run(
        "SELECT xmax::text FROM luna.events WHERE event_id = $1",
        [.uuid(events[0].id.bytes.span.array)])
      locks.insert(row.text(0, 0))
    }
    #expect(locks.count == 2)
    #expect(try await pages(of: events, storage) == ordered(events))
    // A day goes without leaving first.
    _ = try await storage.prune(before: Samples.today + 1, at: Samples.later(86_400))
    #expect(try await pages(of: events, storage).isEmpty)
  }

  @Test(.needsPostgreSQL) func oneThatIsGoneStopsNoOther() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newStandIn()
    let admin = PostgreSQLConnection(settings)
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let events = try Samples.identified((0..<60).map { Samples.event($0) })
    let parts = try PostgreSQLShards.parts(of: bytes(events), admin)
    #expect(parts.map(\.place) == [0, 1, 2])
    let missed = parts[1].indices
    #expect(try await storage.ingest(Array(events[..<30]), at: Samples.now).count == 30)

    let host = try admin.run(
      """
      SELECT option_value FROM pg_foreign_server, pg_options_to_table(srvoptions)
      WHERE srvname = 'worker1' AND option_name = 'host'
      """
    ).text(0, 0)
    try admin.execute("ALTER SERVER worker1 OPTIONS (SET host '/nowhere')")
    let results = try await storage.ingest(events, at: Samples.now)
    for index in events.indices {
      let wanted: IngestResult =
        missed.contains(index) ? .unplaced : index < 30 ? .known : .new
      #expect(results[index] == wanted)
    }
    // Also where nothing of a batch can be kept: whoever sends it has others.
    #expect(try await storage.ingest([events[missed[0]]], at: Samples.now) == [.unplaced])
    try await storage.health()
    // A page without what is missing would look whole.
    await #expect {
      _ = try await pages(of: events, storage)
    } throws: { ($0 as? StorageError)?.kind == .unavailable }
    let others = events.indices.filter { !missed.contains($0) }.map { events[$0] }
    #expect(try await pages(of: others, storage) == ordered(others))

    try admin.execute("ALTER SERVER worker1 OPTIONS (SET host '\(host)')")
    try await waitUntil {
      try await storage.ingest(events, at: Samples.now).allSatisfy { $0 != .unplaced }
    }
    #expect(try await pages(of: events, storage) == ordered(events))
    #expect(try await storage.ingest(events, at: Samples.now).allSatisfy { $0 == .known })
  }

  @Test(.needsPostgreSQL) func aDayWithoutAPlaceIsMissedAlone() async throws {
    let server = try #require(PostgreSQLServer.shared)
    let storage = try PostgreSQLStorage(try server.newStandIn())
    try await storage.prepare()
    let events = try Samples.identified(
      (0..<60).map { Samples.event($0, day: Samples.today + ($0 % 4 == 0 ? -9 : 0)) })
    let results = try await storage.ingest(events, at: Samples.now)
    // It is made as soon as it is missed, so that the other servers' events may have their place already.
    #expect(results.contains(.unplaced))
    for index in events.indices where results[index] != .new {
      #expect(index % 4 == 0 && results[index] == .unplaced)
    }
    // Whoever comes after has waited for it.
    try await storage.makeRoom(for: Samples.today + -9...Samples.today)
    let again = try await storage.ingest(events, at: Samples.now)
    for index in events.indices {
      #expect(again[index] == (results[index] == .unplaced ? .new : .known))
    }
  }

  /// Where identifiers are said to be is no more than a hint.
  @Test(
    .needsPostgreSQL,
    arguments: [
      "SELECT array_agg((random() * 9)::int4) FROM unnest(heids)", "SELECT NULL::int4[]",
      "SELECT array_agg(NULL::int4) FROM unnest(heids)", "SELECT ARRAY[7]",
    ])
  func aWrongHintDoesNoHarm(hint: String) async throws {
    let server = try #require(PostgreSQLServer.shared)
    let settings = try server.newStandIn()
    try PostgreSQLConnection(settings).execute(
      "CREATE OR REPLACE FUNCTION luna.shard(heids uuid[]) RETURNS int4[] LANGUAGE sql AS '\(hint)'"
    )
    let storage = try PostgreSQLStorage(settings)
    try await storage.prepare()
    let events = try Samples.identified((0..<60).map { Samples.event($0) })
    #expect(try await storage.ingest(events, at: Samples.now).allSatisfy { $0 == .new })
    #expect(try await storage.ingest(events, at: Samples.now).allSatisfy { $0 == .known })
    #expect(try await pages(of: events, storage) == ordered(events))
  }
}

extension PostgreSQLConnection {
  /// Makes what Citus says of itself, and has it refuse what it does.
  fileprivate func installCitus() throws(StorageError) {
    try execute(
      """
      CREATE TABLE pg_dist_partition(logicalrelid regclass);
      CREATE TABLE pg_dist_shard(logicalrelid regclass, shardminvalue text);
      CREATE FUNCTION worker_hash(uuid) RETURNS int4 LANGUAGE sql AS 'SELECT uuid_hash($1)';
      CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF current_query() LIKE '%DETACH%' THEN RAISE 'currently unsupported'; END IF;
        END $$;
      CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('ALTER TABLE')
        EXECUTE FUNCTION refuse();
      """)
  }

  /// Says that the table of events is in so many parts, a power of two.
  fileprivate func spreadByCitus(over parts: Int) throws(StorageError) {
    try execute(
      """
      INSERT INTO pg_dist_partition VALUES('luna.events');
      INSERT INTO pg_dist_shard
        SELECT 'luna.events', (part * (4294967296 / \(parts)) - 2147483648)::text
        FROM generate_series(0, \(parts - 1)) AS part
      """)
  }
}
