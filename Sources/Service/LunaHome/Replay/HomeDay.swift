import LunaCore
public import LunaStore

/// What the rules of a home were told on a day, as lines for a replay.
public enum HomeDay {
  private static let piece = 2000

  /// Writes what was kept.
  ///
  /// - Parameters:
  ///   - span: from when, and until when, µs since 1970.
  ///   - write: gets each line.
  /// - Returns: how many there were.
  public static func write(
    from store: HomeStore, _ span: Range<Int64>, _ write: (String) throws -> Void
  ) async throws -> Int {
    var last: Int64 = 0
    var count = 0
    while true {
      let after = last
      let rows = try await store.read {
        (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        try database.inputs(
          from: span.lowerBound, to: span.upperBound, after: after, limit: piece)
      }
      for row in rows {
        guard let line = HomeDiary.expanded(row.line, at: row.time) else { continue }
        try write(line)
        count += 1
      }
      guard rows.count == piece, let end = rows.last else { return count }
      last = end.number
    }
  }
}
