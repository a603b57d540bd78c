import Diagnosis
import SQLite

/// The steps by which a database comes from one version of the schema to the next. A step that was
/// released never changes: new versions add steps.
enum SQLiteSchema {
  /// Marks our databases (`PRAGMA application_id`): "LunB".
  static let applicationID: Int64 = 0x4C75_6E42

  /// The version is the number of steps taken.
  static let steps = [
    // 1: events. The key is the order in which owners read them; there is no other index, so that
    // an event costs one insertion.
    """
    CREATE TABLE events(
      heid BLOB NOT NULL, day INTEGER NOT NULL, event_id BLOB NOT NULL, version INTEGER NOT NULL,
      location BLOB NOT NULL, esf INTEGER NOT NULL, received INTEGER NOT NULL, debug TEXT,
      PRIMARY KEY(heid, day, event_id)) STRICT, WITHOUT ROWID;
    CREATE TABLE probe(id INTEGER PRIMARY KEY CHECK(id = 1), count INTEGER NOT NULL) STRICT;
    INSERT INTO probe VALUES(1, 0);
    """,
    // 2: commands, credentials and gateways.
    """
    CREATE TABLE commands(
      id BLOB PRIMARY KEY, owner TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER NOT NULL,
      leased_to TEXT, leased_until INTEGER NOT NULL DEFAULT 0, outcome TEXT, heid BLOB,
      receipt BLOB, detail TEXT) STRICT, WITHOUT ROWID;
    CREATE INDEX commands_of_owner ON commands(owner, expires);
    CREATE TABLE packages(
      heid BLOB NOT NULL, command BLOB NOT NULL REFERENCES commands(id) ON DELETE CASCADE,
      data BLOB NOT NULL, PRIMARY KEY(heid, command)) STRICT, WITHOUT ROWID;
    CREATE INDEX packages_of_command ON packages(command);
    CREATE TABLE leases(
      command BLOB NOT NULL REFERENCES commands(id) ON DELETE CASCADE, gateway TEXT NOT NULL,
      PRIMARY KEY(command, gateway)) STRICT, WITHOUT ROWID;
    CREATE TABLE tokens(
      id TEXT PRIMARY KEY, role TEXT NOT NULL, name TEXT NOT NULL, digest BLOB NOT NULL,
      created INTEGER NOT NULL, revoked INTEGER) STRICT, WITHOUT ROWID;
    CREATE TABLE enrolments(
      digest BLOB PRIMARY KEY, name TEXT NOT NULL, expires INTEGER NOT NULL)
      STRICT, WITHOUT ROWID;
    CREATE TABLE gateways(
      name TEXT PRIMARY KEY, seen INTEGER NOT NULL, version TEXT, uptime INTEGER,
      queue_depth INTEGER) STRICT, WITHOUT ROWID;
    """,
    PortableSQL.sqlite(AccountsSchema.step),
    PortableSQL.sqlite(TelemetrySchema.step),
    PortableSQL.sqlite(FleetSchema.step(id: "lower(hex(randomblob(8)))")),
    PortableSQL.sqlite(SignInSchema.step),
    PortableSQL.sqlite(PreferencesSchema.step),
    PortableSQL.sqlite(StayingSchema.step),
    PortableSQL.sqlite(CancellingSchema.step),
    PortableSQL.sqlite(FailuresSchema.step),
    PortableSQL.sqlite(OutcomesSchema.step),
  ]

  /// Brings a database to a version; for tests also to an older one than the newest.
  static func migrate(
    _ database: borrowing Database<StorageError>, upTo version: Int = steps.count
  ) throws(StorageError) {
    // Outside of a transaction first: nothing is written into a database that is not ours.
    guard try check(database) < version else { return }
    try database.transaction { () throws(StorageError) in
      // Another process may have come first.
      let present = try check(database)
      if present == 0 { try database.execute("PRAGMA application_id = \(applicationID)") }
      for step in steps[..<version].dropFirst(present) { try database.execute(step) }
      if present < version { try database.execute("PRAGMA user_version = \(version)") }
    }
  }

  /// The version that is there.
  static func check(_ database: borrowing Database<StorageError>) throws(StorageError) -> Int {
    let version = try database.integer("PRAGMA user_version")
    let application = try database.integer("PRAGMA application_id")
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    guard application == applicationID || (application == 0 && version == 0 && isEmpty) else {
      throw StorageError(
        .foreign, "\(database.path) is a database of another program", remedy: "name another file")
    }
    guard version <= steps.count else {
      throw StorageError(
        .foreign,
        "\(database.path) was written by a newer version of Luna: its schema is \(version), this "
          + "build knows up to \(steps.count)", remedy: "use the newer version")
    }
    guard version >= 0, version > 0 || isEmpty else {
      throw StorageError(
        .damaged, "\(database.path) is damaged: its schema has version \(version)",
        remedy: "restore a backup")
    }
    return Int(version)
  }
}
