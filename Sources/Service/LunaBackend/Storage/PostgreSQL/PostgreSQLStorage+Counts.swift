public import LunaProtocol

extension PostgreSQLStorage {
  /// Adds to what all processes took.
  public func share(
    _ additions: [HEID: Int], inHour hour: Int64
  ) async throws(StorageError) -> [HEID: Int] {
    // In one order everywhere, so that two backends do not wait for each other.
    let heids = additions.keys.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    let parameters: [PostgreSQLValue] = [
      .integer(hour), .uuids(heids.map { $0.bytes.span.array }),
      .integers(heids.map { Int32(clamping: additions[$0] ?? 0) }),
    ]
    return try await pool.run { connection throws(StorageError) in
      // Also finds out whether the connection was lost.
      try connection.retrying { () throws(StorageError) in
        _ = try connection.run("DELETE FROM luna.busy WHERE hour < $1", [.integer(hour)])
      }
      // Once only: where the answer is lost it may have been done, and would count twice.
      let rows = try connection.run(
        """
        INSERT INTO luna.busy AS b(hour, heid, count) SELECT $1, * FROM unnest($2, $3)
        ON CONFLICT(hour, heid) DO UPDATE SET count = b.count + excluded.count
        RETURNING heid, count
        """, parameters)
      var sums: [HEID: Int] = [:]
      for row in 0..<rows.count {
        let key = rows.bytes(row, 0)
        if let heid = HEID(key.span) { sums[heid] = Int(rows.integer(row, 1)) }
      }
      return sums
    }
  }
}
