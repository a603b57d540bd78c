extension Migration {
  /// The results of uplink checks, and who makes them; "LunU".
  static let uplink = Migration(
    applicationID: 0x4C75_6E55,
    steps: [
      // 1: `samples` is compressed; null where a result has none.
      """
      CREATE TABLE results(
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, time INTEGER NOT NULL,
        document TEXT NOT NULL, samples BLOB) STRICT;
      CREATE INDEX results_by_time ON results(time);
      """,
      // 2: what a result was made under, and who asks servers for tests, with how many of them there were;
      // a row at most.
      """
      ALTER TABLE results ADD COLUMN conditions TEXT;
      CREATE TABLE identity(
        id INTEGER PRIMARY KEY CHECK(id = 1), user TEXT NOT NULL, history INTEGER NOT NULL) STRICT;
      """,
    ])
}
