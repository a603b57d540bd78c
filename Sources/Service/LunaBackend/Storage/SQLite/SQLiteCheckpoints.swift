import EventLoop
import SQLite
import Synchronization

/// Moves what was committed from the log into the file while commits go on. The writer would do that
/// itself every few thousand pages, and everybody would wait for it.
final class SQLiteCheckpoints: Sendable {
  /// How many changed rows are worth it. Each is a page or two, as identifiers are random: this stays
  /// below what the writer would begin at, and a page that changes again meanwhile is moved once.
  private static let rows: Int64 = 8000

  private struct State {
    var rows: Int64 = 0
    var isRunning = false
  }

  private let thread = Blocking(name: "luna.backend.checkpoints")
  private let connection: SQLiteConnection
  private let state = Mutex(State())

  init(at place: SQLitePlace) throws(StorageError) {
    connection = try SQLiteConnection(at: place, isReadOnly: false)
    try connection.database.execute("PRAGMA synchronous = FULL")
  }

  /// To be called after a commit.
  ///
  /// - Parameter rows: that the writer has changed since it began.
  func committed(_ rows: Int64) {
    let isDue = state.withLock { state in
      guard !state.isRunning, rows - state.rows >= SQLiteCheckpoints.rows else { return false }
      state.rows = rows
      state.isRunning = true
      return true
    }
    guard isDue else { return }
    thread.start { [self] in
      // Where this fails, the writer meets the same trouble and tells of it.
      if connection.database.readLogThrough() == nil {
        try? connection.database.execute("PRAGMA wal_checkpoint(PASSIVE)")
      }
      state.withLock { $0.isRunning = false }
    }
  }
}
