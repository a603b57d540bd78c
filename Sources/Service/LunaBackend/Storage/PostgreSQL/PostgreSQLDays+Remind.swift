import Glibc

/// Which days there are, each session at PostgreSQL keeps, and finds out anew after each change. One that is finding it
/// out takes note of the next change without beginning again (`RelationBuildPartitionDesc`, up to version 15.18 at
/// least): what it has found before that stays until there is another change. Such a session finds nothing of a day that
/// came in that moment, and has no place for what is written there.
extension PostgreSQLDays {
  /// How often it is looked whether others have ended, where nobody is to wait for long (1 s), and where it has to be so
  /// (30 s).
  static let (soon, surely) = (8, 150)
  /// How far apart that is at first, and at most, ms.
  private static let (firstPause, longestPause): (Int32, Int32) = (10, 200)

  /// Has all sessions find out anew which days there are, when those have ended who have begun before.
  ///
  /// - Returns: whether they have; all sessions know all days from now on.
  @discardableResult
  func remind(of events: PostgreSQLEventTable, turns: Int) throws(StorageError) -> Bool {
    // Citus does not take the statement.
    guard try connection.findEngine() == .plain else { return true }
    var before = try users(of: events)
    var pause = PostgreSQLDays.firstPause
    for _ in 0..<turns where !before.isEmpty {
      _ = poll(nil, 0, pause)
      pause = min(2 * pause, PostgreSQLDays.longestPause)
      let now = try users(of: events)
      before.formIntersection(now)
    }
    try connection.patiently(pauses) { () throws(StorageError) in
      // It changes nothing, and is a change: a table with partitions has no such option that anything goes by.
      try connection.execute("ALTER TABLE ONLY \(events.name) ALTER day RESET (n_distinct)")
    }
    return before.isEmpty
  }

  /// The transactions of others that use a table.
  private func users(of events: PostgreSQLEventTable) throws(StorageError) -> Set<String> {
    let rows = try connection.run(
      """
      SELECT DISTINCT virtualtransaction FROM pg_locks
      WHERE locktype = 'relation' AND relation = to_regclass($1) AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND pid <> pg_backend_pid()
      """, [.text(events.name)])
    return Set((0..<rows.count).map { rows.text($0, 0) })
  }
}
