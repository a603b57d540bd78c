/// Step 5 of the schema: the records of gateways, what was changed in them, what gateways hear, and
/// pictures. Times are microseconds since 1970; `fields` and `hardware` are JSON.
enum FleetSchema {
  /// Gateways that are there already get records, with their names.
  ///
  /// - Parameter id: 16 random hexadecimal digits as the storage makes them.
  static func step(id: String) -> String {
    """
    CREATE TABLE luna.fleet(
      id TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, folded TEXT NOT NULL,
      revision INTEGER NOT NULL, change INTEGER NOT NULL, fields TEXT NOT NULL,
      hardware TEXT NOT NULL, print BLOB, scanned INTEGER, digest BLOB, created INTEGER NOT NULL,
      enrolled_by TEXT, removed INTEGER) STRICT;
    CREATE UNIQUE INDEX fleet_names ON luna.fleet(folded) WHERE removed IS NULL;
    CREATE UNIQUE INDEX fleet_prints ON luna.fleet(print) WHERE print IS NOT NULL;
    CREATE INDEX fleet_changes ON luna.fleet(change);
    CREATE TABLE luna.changes(
      number INTEGER PRIMARY KEY, time INTEGER NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL,
      object TEXT NOT NULL, action TEXT NOT NULL, revision INTEGER NOT NULL, fields TEXT NOT NULL,
      undoes INTEGER, bulk INTEGER) STRICT;
    CREATE INDEX changes_of_object ON luna.changes(kind, object, number);
    CREATE INDEX changes_of_bulk ON luna.changes(bulk) WHERE bulk IS NOT NULL;
    CREATE TABLE luna.pictures(
      hash TEXT PRIMARY KEY, type TEXT NOT NULL, data BLOB NOT NULL, created INTEGER NOT NULL) STRICT;
    CREATE TABLE luna.devices(
      gateway TEXT NOT NULL REFERENCES luna.fleet(id) ON DELETE CASCADE, ref TEXT NOT NULL,
      family TEXT NOT NULL, first_heard INTEGER NOT NULL, last_heard INTEGER NOT NULL,
      hours INTEGER NOT NULL, band TEXT NOT NULL, fields TEXT NOT NULL, revision INTEGER NOT NULL,
      forgotten INTEGER, PRIMARY KEY(gateway, ref)) STRICT;
    CREATE INDEX devices_heard ON luna.devices(last_heard);
    INSERT INTO luna.fleet(id, key, folded, revision, change, fields, hardware, created)
      SELECT \(id), key, lower(name), 1, 0, '{"name":"' || name || '"}', '{}', created FROM (
        SELECT key, created,
          CASE WHEN place = 1 THEN key ELSE key || ' (' || place || ')' END AS name FROM (
            SELECT key, created, row_number() OVER (PARTITION BY lower(key) ORDER BY key) AS place
            FROM (SELECT key, min(created) AS created FROM (
              SELECT name AS key, created FROM luna.tokens WHERE role = 'gateway' AND revoked IS NULL
              UNION ALL SELECT name, seen FROM luna.gateways) AS known
            GROUP BY key) AS grouped) AS counted) AS named;
    """
  }
}
