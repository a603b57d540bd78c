extension Migration {
  /// The database of devices; "Luna".
  static let devices = Migration(
    applicationID: 0x4C75_6E61,
    steps: [
      // 1: devices and their clocks. `keys` is as KeyCoding writes it, sealed when `sealing` has a row.
      """
      CREATE TABLE devices(
        id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE CHECK(length(uuid) = 16),
        name TEXT NOT NULL, kind TEXT NOT NULL, onboarded INTEGER NOT NULL,
        unauthenticated INTEGER NOT NULL, keys BLOB NOT NULL,
        counter INTEGER NOT NULL DEFAULT 0) STRICT;
      CREATE TABLE clocks(
        device INTEGER PRIMARY KEY REFERENCES devices(id) ON DELETE CASCADE,
        low INTEGER NOT NULL, high INTEGER NOT NULL, time INTEGER NOT NULL,
        track_low INTEGER, track_high INTEGER, track_time INTEGER, track_period INTEGER,
        track_count INTEGER) STRICT;
      """,
      // 2: sightings. No foreign key: its check would cost each of the many rows.
      """
      CREATE TABLE sightings(
        id INTEGER PRIMARY KEY, device INTEGER NOT NULL, time INTEGER NOT NULL,
        address INTEGER NOT NULL, rssi INTEGER, period INTEGER, battery_low INTEGER,
        eid BLOB NOT NULL) STRICT;
      CREATE INDEX sightings_of_device ON sightings(device, time);
      """,
      // 3: identifiers that are slow to derive.
      """
      CREATE TABLE derivations(
        device INTEGER NOT NULL REFERENCES devices(id) ON DELETE CASCADE, sequence INTEGER NOT NULL,
        first INTEGER NOT NULL, last INTEGER NOT NULL, identifiers BLOB NOT NULL,
        PRIMARY KEY(device, sequence, first, last)) STRICT;
      """,
      // 4: keys under a passphrase.
      """
      CREATE TABLE sealing(
        id INTEGER PRIMARY KEY CHECK(id = 1), salt BLOB NOT NULL, cost INTEGER NOT NULL,
        block_size INTEGER NOT NULL, parallelization INTEGER NOT NULL,
        sealed_key BLOB NOT NULL) STRICT;
      """,
      // 5: onboardings whose end is not known. `keys` is as that of the device to be.
      """
      CREATE TABLE pending(
        id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE CHECK(length(uuid) = 16),
        name TEXT NOT NULL, kind TEXT NOT NULL, onboarded INTEGER NOT NULL,
        unauthenticated INTEGER NOT NULL, keys BLOB NOT NULL, hint INTEGER NOT NULL,
        counter INTEGER NOT NULL DEFAULT 0) STRICT;
      """,
      // 6: sharing (SHARING.md). The key of one's own contact card is sealed as those of devices are;
      // what others have shared is devices of their own, of which `received` keeps the last serial until
      // the end.
      """
      CREATE TABLE contact_key(
        id INTEGER PRIMARY KEY CHECK(id = 1), key BLOB NOT NULL, name TEXT NOT NULL) STRICT;
      CREATE TABLE contacts(
        name TEXT PRIMARY KEY, email TEXT NOT NULL, key BLOB NOT NULL UNIQUE CHECK(length(key) = 32),
        verified INTEGER NOT NULL, added INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE shares(
        share BLOB NOT NULL UNIQUE CHECK(length(share) = 16), tracker BLOB NOT NULL,
        contact TEXT NOT NULL, recipient BLOB NOT NULL, serial INTEGER NOT NULL,
        first INTEGER NOT NULL, last INTEGER NOT NULL, status INTEGER NOT NULL,
        ring_seconds INTEGER NOT NULL, rings INTEGER NOT NULL, issued INTEGER NOT NULL,
        until INTEGER NOT NULL, renewed INTEGER NOT NULL, ended INTEGER) STRICT;
      CREATE TABLE received(
        sender BLOB NOT NULL, share BLOB NOT NULL, serial INTEGER NOT NULL, until INTEGER NOT NULL,
        device BLOB, first INTEGER NOT NULL, last INTEGER NOT NULL, status INTEGER NOT NULL,
        ring_seconds INTEGER NOT NULL, rings INTEGER NOT NULL, model TEXT NOT NULL,
        backend TEXT NOT NULL, issued INTEGER NOT NULL, PRIMARY KEY(sender, share))
        STRICT, WITHOUT ROWID;
      """,
      // 7: what trackers have said of their firmware when they were onboarded.
      """
      ALTER TABLE devices ADD COLUMN firmware INTEGER;
      ALTER TABLE pending ADD COLUMN firmware INTEGER;
      """,
    ])
}
