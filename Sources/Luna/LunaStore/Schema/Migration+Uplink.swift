extension Migration {
  /// The results of uplink checks, who makes them, and what they have used; "LunU".
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
      // 3: what checks have sent and received, or may have: reserved before, settled after.
      """
      CREATE TABLE ledger(
        number INTEGER PRIMARY KEY AUTOINCREMENT, month TEXT NOT NULL, metered INTEGER NOT NULL,
        bytes INTEGER NOT NULL CHECK(bytes >= 0)) STRICT;
      CREATE INDEX ledger_by_month ON ledger(month);
      """,
      // 4: what the clock said at the last look at the results, and, where it had leapt ahead, what it says since.
      """
      CREATE TABLE clock(
        id INTEGER PRIMARY KEY CHECK(id = 1), believed INTEGER NOT NULL, doubted INTEGER) STRICT;
      """,
    ])
}
