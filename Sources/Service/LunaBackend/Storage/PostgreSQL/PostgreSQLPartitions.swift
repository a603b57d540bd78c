#if PostgreSQL
  import LunaCore
  import Synchronization

  /// The partitions of the table of events, one for each day: made when the first event of a day
  /// comes, or ahead, and dropped as a whole.
  final class PostgreSQLPartitions: Sendable {
    private let known = Mutex<Set<Day>>([])

    /// Makes the partitions that are missing.
    func make(
      _ days: Set<Day>, _ connection: PostgreSQLConnection
    ) throws(StorageError) {
      let missing = days.subtracting(known.withLock { $0 })
      if missing.isEmpty { return }
      for day in missing.sorted() {
        try connection.transaction { () throws(StorageError) in
          // One process at a time makes partitions; IF NOT EXISTS alone would not be enough.
          try connection.execute("SELECT pg_advisory_xact_lock(\(PostgreSQLSchema.lock))")
          try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS luna.events_\(PostgreSQLPartitions.name(day))
            PARTITION OF luna.events FOR VALUES FROM (\(day.number)) TO (\(day.number + 1))
            """)
        }
        known.withLock { _ = $0.insert(day) }
      }
    }

    /// Drops the partitions of days before one.
    ///
    /// - Returns: how many events were in them, about.
    func drop(
      before day: Day, _ connection: PostgreSQLConnection
    ) throws(StorageError) -> Int {
      let rows = try connection.run(
        """
        SELECT c.relname::text, greatest(c.reltuples, 0)::int8 FROM pg_inherits i
        JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'luna.events'::regclass
        """)
      var count = 0
      for row in 0..<rows.count {
        let name = rows.text(row, 0)
        guard let end = name.lastIndex(of: "_"), let number = Int32(name[end...].dropFirst()),
          number < day.number
        else { continue }
        try connection.execute("DROP TABLE IF EXISTS luna.\(name)")
        count += Int(rows.integer(row, 1))
        known.withLock { _ = $0.remove(Day(number: number)) }
      }
      return count
    }

    /// Forgets what is there, as after a partition was dropped by another process.
    func forget() { known.withLock { $0 = [] } }

    private static func name(_ day: Day) -> String { String(day.number) }
  }
#endif
