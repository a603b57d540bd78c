import Diagnosis

/// The steps by which a database comes from one version of the schema to the next. A step that was
/// released never changes: new versions add steps.
enum PostgreSQLSchema {
  /// The number of the lock that keeps others away while the schema is changed: "LunB".
  static let lock: Int64 = 0x4C75_6E42

  /// The version is the number of steps taken.
  static let steps = [
    // 1: events. The key begins with the identifier, by which the table could be spread over
    // several servers.
    """
    CREATE TABLE luna.events(
      heid bytea NOT NULL, day int4 NOT NULL, event_id bytea NOT NULL, version int4 NOT NULL,
      location bytea NOT NULL, esf int4 NOT NULL, received int8 NOT NULL, debug text,
      PRIMARY KEY(heid, day, event_id)) PARTITION BY RANGE (day);
    CREATE TABLE luna.probe(id int4 PRIMARY KEY CHECK(id = 1), count int8 NOT NULL);
    INSERT INTO luna.probe VALUES(1, 0);
    """,
    // 2: commands, credentials and gateways.
    """
    CREATE TABLE luna.commands(
      id bytea PRIMARY KEY, owner text NOT NULL, created int8 NOT NULL, expires int8 NOT NULL,
      leased_to text, leased_until int8 NOT NULL DEFAULT 0, outcome text, heid bytea,
      receipt bytea, detail text);
    CREATE INDEX ON luna.commands(owner, expires);
    CREATE TABLE luna.packages(
      heid bytea NOT NULL, command bytea NOT NULL REFERENCES luna.commands(id) ON DELETE CASCADE,
      data bytea NOT NULL, PRIMARY KEY(heid, command));
    CREATE INDEX ON luna.packages(command);
    CREATE TABLE luna.leases(
      command bytea NOT NULL REFERENCES luna.commands(id) ON DELETE CASCADE,
      gateway text NOT NULL, PRIMARY KEY(command, gateway));
    CREATE TABLE luna.tokens(
      id text PRIMARY KEY, role text NOT NULL, name text NOT NULL, digest bytea NOT NULL,
      created int8 NOT NULL, revoked int8);
    CREATE TABLE luna.enrolments(
      digest bytea PRIMARY KEY, name text NOT NULL, expires int8 NOT NULL);
    CREATE TABLE luna.gateways(
      name text PRIMARY KEY, seen int8 NOT NULL, version text, uptime int8, queue_depth int8);
    """,
    PortableSQL.postgreSQL(AccountsSchema.step),
    PortableSQL.postgreSQL(TelemetrySchema.step),
    PortableSQL.postgreSQL(
      FleetSchema.step(id: "substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)")),
    PortableSQL.postgreSQL(SignInSchema.step),
    PortableSQL.postgreSQL(PreferencesSchema.step) + changeNotices,
    PortableSQL.postgreSQL(StayingSchema.step),
    PortableSQL.postgreSQL(CancellingSchema.step),
    PortableSQL.postgreSQL(FailuresSchema.step),
    PortableSQL.postgreSQL(OutcomesSchema.step) + holders,
    busy,
    PostgreSQLEventsSchema.step,
    shard,
  ]

  /// Which part of the table of events each identifier is in. Where it is not spread over several servers there is one;
  /// Citus keeps what falls between two of its bounds together. A hint, by which events are written and fetched with a
  /// statement for each part: with a wrong one that takes longer.
  private static let shard = """
    CREATE FUNCTION luna.shard(heids uuid[]) RETURNS int4[] LANGUAGE plpgsql STABLE AS $$
      DECLARE
        places int4[];
      BEGIN
        IF to_regclass('pg_dist_shard') IS NULL THEN
          RETURN array_fill(0, ARRAY[cardinality(heids)]);
        END IF;
        EXECUTE $shards$
          SELECT array_agg(
            coalesce(width_bucket(worker_hash(given.heid), shards.bounds), 0) ORDER BY given.number)
          FROM unnest($1) WITH ORDINALITY AS given(heid, number),
            (SELECT array_agg(shardminvalue::int4 ORDER BY shardminvalue::int4) AS bounds
             FROM pg_dist_shard WHERE logicalrelid = 'luna.events'::regclass) AS shards
          $shards$ INTO places USING heids;
        RETURN places;
      END $$;
    """

  /// How many events all processes took of an identifier in an hour. No row says which of them took how many: behind
  /// a balancer by token that would be a group of gateways. Lost in a crash, after which the processes tell it again.
  private static let busy = """
    CREATE UNLOGGED TABLE luna.busy(
      hour int8 NOT NULL, heid bytea NOT NULL, count int4 NOT NULL, PRIMARY KEY(hour, heid));
    """

  /// Rows that are locked where something is counted that a holder may have so many of, and by what is serial.
  private static let holders = """

    CREATE TABLE luna.holders(role text NOT NULL, name text NOT NULL, PRIMARY KEY(role, name));
    """

  /// Tells all servers of changes, when they are committed.
  private static let changeNotices = """
    CREATE FUNCTION luna.tell_of_changes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_notify('luna_changes', ''); RETURN NULL; END $$;
    CREATE TRIGGER changes_told AFTER INSERT ON luna.changes
      FOR EACH STATEMENT EXECUTE FUNCTION luna.tell_of_changes();
    """

  /// Brings a database to a version; for tests also to an older one than the newest. One that is there already
  /// is left alone: a process that serves needs no right to change it.
  static func migrate(
    _ connection: PostgreSQLConnection, upTo version: Int = steps.count,
    pauses: [Int32] = PostgreSQLConnection.pauses
  ) throws(StorageError) {
    let there = try connection.run("SELECT to_regclass('luna.schema') IS NOT NULL")
    if there.count > 0, there.bytes(0, 0) == [1], try check(connection) >= version { return }
    // A step may find that others hold what it needs.
    try connection.patiently(pauses) { () throws(StorageError) in
      try connection.transaction { () throws(StorageError) in
        try take(stepsTo: version, connection)
      }
    }
  }

  private static func take(
    stepsTo version: Int, _ connection: PostgreSQLConnection
  ) throws(StorageError) {
    try connection.execute("SELECT pg_advisory_xact_lock(\(lock))")
    try connection.execute(
      """
      CREATE SCHEMA IF NOT EXISTS luna;
      CREATE TABLE IF NOT EXISTS luna.schema(version int4 NOT NULL);
      INSERT INTO luna.schema SELECT 0 WHERE NOT EXISTS (SELECT FROM luna.schema);
      """)
    let present = try check(connection)
    for step in steps[..<version].dropFirst(present) { try connection.execute(step) }
    if present < version {
      try connection.execute("UPDATE luna.schema SET version = \(version)")
    }
  }

  /// The version that is there.
  static func check(_ connection: PostgreSQLConnection) throws(StorageError) -> Int {
    let rows = try connection.run("SELECT version FROM luna.schema")
    let version = rows.count > 0 ? Int(rows.integer(0, 0)) : 0
    guard version <= steps.count else {
      throw StorageError(
        .foreign,
        "the database was written by a newer version of Luna: its schema is \(version), this "
          + "build knows up to \(steps.count)", remedy: "use the newer version")
    }
    return version
  }
}
