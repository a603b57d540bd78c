import Glibc
import LunaCore
import SQLite

/// Takes what can still be read of a damaged queue into another file. A page that cannot be read takes
/// with it what is on it; everything else is found, by asking for smaller and smaller parts.
enum QueueSalvage {
  /// How much may fail in each table: of a file that is all noise, every part does.
  private static let patience = 20_000
  /// No queue has ever had more events.
  private static let last: Int64 = 1 << 40
  /// Numbers that may have been given after the last one that can be read.
  private static let gap: Int64 = 1 << 20

  private static let tables: [(name: String, columns: String)] = [
    ("events", "id, heid, location, esf, day, time, attempts, debug, doubtful"),
    ("aside", "id, heid, location, esf, day, time, code"), ("confirmations", "id, body, time"),
  ]

  /// Takes what can be read.
  ///
  /// - Parameters:
  ///   - source: the damaged file; it is only read.
  ///   - path: of a queue that is empty.
  static func take(
    from source: borrowing Database, into path: String
  ) throws(DeviceStoreError) {
    let name = path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
    // The file is read from beginning to end before it is used; until then it needs no journal on the disk.
    try source.execute(
      """
      ATTACH '\(name)' AS fresh; PRAGMA fresh.journal_mode = MEMORY; PRAGMA fresh.synchronous = OFF
      """)
    defer { try? source.execute("DETACH fresh") }
    for table in QueueSalvage.tables { try take(table.name, table.columns, from: source) }
    for table in ["dropped", "hours", "crowd"] {
      try? source.execute("INSERT OR REPLACE INTO fresh.\(table) SELECT * FROM main.\(table)")
    }
    for table in ["events", "confirmations"] { try takeNumber(table, from: source) }
    try QueueSalvage.sync(path)
  }

  private static func take(
    _ table: String, _ columns: String, from source: borrowing Database
  ) throws(DeviceStoreError) {
    var patience = QueueSalvage.patience
    var parts: [ClosedRange<Int64>] = [1...QueueSalvage.last]
    while let part = parts.popLast(), patience > 0 {
      do throws(DeviceStoreError) {
        // By number, not by an index, which may lack what the table has.
        try source.execute(
          """
          INSERT OR IGNORE INTO fresh.\(table)(\(columns)) SELECT \(columns) FROM main.\(table) NOT INDEXED
          WHERE id BETWEEN \(part.lowerBound) AND \(part.upperBound)
          """)
      } catch {
        guard error.kind == .damaged || error.kind == .failed else { throw error }
        patience -= 1
        guard part.lowerBound < part.upperBound else { continue }
        let middle = part.lowerBound + (part.upperBound - part.lowerBound) / 2
        parts.append(middle + 1...part.upperBound)
        parts.append(part.lowerBound...middle)
      }
    }
  }

  /// No number is given twice: a settlement may come late.
  private static func takeNumber(
    _ table: String, from source: borrowing Database
  ) throws(DeviceStoreError) {
    let known = try? source.integer("SELECT seq FROM main.sqlite_sequence WHERE name = '\(table)'")
    let taken = try source.integer("SELECT coalesce(max(id), 0) FROM fresh.\(table)")
    let last = max(taken, known ?? taken + QueueSalvage.gap)
    try source.execute(
      """
      DELETE FROM fresh.sqlite_sequence WHERE name = '\(table)';
      INSERT INTO fresh.sqlite_sequence VALUES('\(table)', \(last))
      """)
  }

  private static func sync(_ path: String) throws(DeviceStoreError) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw .system("open", path, errno) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw .system("sync", path, errno) }
  }
}
