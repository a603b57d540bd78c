extension Migration {
  /// The results of uplink checks; "LunU".
  static let uplink = Migration(
    applicationID: 0x4C75_6E55,
    steps: [
      // 1: `samples` is compressed; null where a result has none.
      """
      CREATE TABLE results(
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, time INTEGER NOT NULL,
        document TEXT NOT NULL, samples BLOB) STRICT;
      CREATE INDEX results_by_time ON results(time);
      """
    ])
}
