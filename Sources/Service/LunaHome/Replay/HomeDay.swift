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
    try await each(of: store, span) { line in
      try write(line)
      return true
    }
  }

  /// The first lines of what was kept, at most so many.
  package static func lines(
    from store: HomeStore, _ span: Range<Int64>, limit: Int
  ) async throws -> [String] {
    var lines: [String] = []
    _ = try await each(of: store, span) { line in
      lines.append(line)
      return lines.count < limit
    }
    return lines
  }

  /// Hands out each line, for as long as more are wanted.
  private static func each(
    of store: HomeStore, _ span: Range<Int64>, _ body: (String) throws -> Bool
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
        count += 1
        guard try body(line) else { return count }
      }
      guard rows.count == piece, let end = rows.last else { return count }
      last = end.number
    }
  }
}
