import CSQLite
import LunaCore

/// A connection to a database file, closed with this value. To be used by one thread at a time.
struct Database: ~Copyable {
  let path: String
  fileprivate let handle: OpaquePointer

  /// Opens a file that exists; nothing of it is read yet.
  ///
  /// - Parameter patience: how long to wait for other writers.
  init(path: String, patience: Duration) throws(DeviceStoreError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let failure = SQLiteFailure(code, on: handle)
      sqlite3_close_v2(handle)
      throw failure.storeError(path, "open")
    }
    self.path = path
    self.handle = handle
    sqlite3_busy_timeout(handle, Int32(clamping: patience.components.seconds &* 1000))
  }

  deinit { sqlite3_close_v2(handle) }

  /// Whether closing leaves the file and its log as they are, instead of tidying up.
  func keepLog(_ keep: Bool) { csqlite_keep_log(handle, keep ? 1 : 0) }

  /// Runs statements without results.
  func execute(_ sql: String) throws(DeviceStoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, "write") }
  }

  /// Compiles a statement.
  func prepare(_ sql: String) throws(DeviceStoreError) -> Statement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code, "read") }
    return Statement(statement, path: path)
  }

  /// The first column of the first row, as a number.
  func integer(_ sql: String) throws(DeviceStoreError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Does all of `body` or nothing. Nobody else writes meanwhile.
  func transaction<Result>(
    _ body: () throws(DeviceStoreError) -> Result
  ) throws(DeviceStoreError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do throws(DeviceStoreError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite has done so already after some errors; then there is nothing to take back.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The number of rows that this connection has changed since it was opened.
  var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  /// The row that was inserted last.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  private func error(_ code: Int32, _ doing: String) -> DeviceStoreError {
    SQLiteFailure(code, on: handle).storeError(path, doing)
  }
}
