import Glibc
import LunaCore
import SQLite

/// The database of a queue, open. A file of its own takes its place when somebody deletes or replaces
/// it: nobody else reads it, so that nothing stands against that.
final class QueueFile {
  let database: Database

  /// Opens the file, and makes it where there is none.
  init(directory: StateDirectory, fileName: String, limit: Int) throws(DeviceStoreError) {
    try directory.secure(fileName)
    let database = try Database(path: "\(directory.path)/\(fileName)", patience: .seconds(10))
    database.keepLog(true)
    _ = try Migration.queue.check(database)
    // A small log and cache: a gateway has little memory, and an event is 100 bytes.
    try database.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512;
      PRAGMA wal_autocheckpoint = 256;
      """)
    try Migration.queue.run(on: database)
    database.keepLog(false)
    // Another program asks how much fits; on a full disk it gets the answer of before. A flood that
    // the last run saw is none of this one.
    try? database.execute("REPLACE INTO settings VALUES(1, \(limit)); DELETE FROM crowd")
    self.database = database
  }

  /// Whether a file is a queue that can be read from beginning to end.
  static func isWhole(_ path: String) -> Bool {
    guard let database = try? Database(path: path, patience: .seconds(1), isReadOnly: true),
      let version = try? Migration.queue.check(database), version > 0,
      let statement = try? database.prepare("PRAGMA quick_check(1)"),
      (try? statement.step()) == true
    else { return false }
    return statement.text(0) == "ok"
  }

  func count(_ table: StaticString) throws(DeviceStoreError) -> Int {
    Int(clamping: try database.integer("SELECT count(*) FROM \(table)"))
  }

  /// How many doubtful events wait.
  func countDoubtful() throws(DeviceStoreError) -> Int {
    Int(clamping: try database.integer("SELECT count(*) FROM events WHERE doubtful = 1"))
  }
}
