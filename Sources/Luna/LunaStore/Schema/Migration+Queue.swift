extension Migration {
  /// The queue of a finder; "LunQ".
  static let queue = Migration(
    applicationID: 0x4C75_6E51,
    steps: [
      // 1: AUTOINCREMENT, so that no number is given twice: a settlement may come late. Events that
      // were refused for good are in `aside`. `hours` counts what was queued in each hour.
      """
      CREATE TABLE events(
        id INTEGER PRIMARY KEY AUTOINCREMENT, heid BLOB NOT NULL CHECK(length(heid) = 16),
        location BLOB NOT NULL, esf INTEGER NOT NULL, day INTEGER NOT NULL, time INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0, debug TEXT) STRICT;
      CREATE INDEX events_by_turn ON events(attempts, id);
      CREATE TABLE aside(
        id INTEGER PRIMARY KEY, heid BLOB NOT NULL, location BLOB NOT NULL, esf INTEGER NOT NULL,
        day INTEGER NOT NULL, time INTEGER NOT NULL, code TEXT NOT NULL) STRICT;
      CREATE TABLE confirmations(
        id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, time INTEGER NOT NULL) STRICT;
      CREATE TABLE dropped(
        reason TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE hours(hour INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
      CREATE TABLE settings(
        id INTEGER PRIMARY KEY CHECK(id = 1), event_limit INTEGER NOT NULL) STRICT;
      """,
      // 2: events that may be made up go last and are dropped first; when what was lost.
      """
      ALTER TABLE events ADD COLUMN doubtful INTEGER NOT NULL DEFAULT 0;
      DROP INDEX events_by_turn;
      CREATE INDEX events_by_turn ON events(doubtful, attempts, id);
      CREATE INDEX doubtful_events ON events(id) WHERE doubtful = 1;
      ALTER TABLE dropped ADD COLUMN since INTEGER;
      ALTER TABLE dropped ADD COLUMN last INTEGER;
      CREATE TABLE crowd(
        id INTEGER PRIMARY KEY CHECK(id = 1), rate INTEGER NOT NULL, since INTEGER NOT NULL,
        noted INTEGER NOT NULL) STRICT;
      """,
    ])
}
