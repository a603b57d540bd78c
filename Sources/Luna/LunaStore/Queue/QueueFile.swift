import Glibc
import LunaCore
import SQLite

/// The database of a queue, open. A file of its own takes its place when somebody deletes or replaces
/// it: nobody else reads it, so that nothing stands against that.
final class QueueFile {
  let database: Database

  /// Opens the file, and makes it where there is none.
  init(at place: DatabasePlace, limit: Int) throws(DeviceStoreError) {
    try StateDirectory.secure(place)
    let database = try Database(at: place, patience: .seconds(10), watch: LogWatch(place))
    database.keepLog(true)
    _ = try Migration.queue.check(database)
    // A small log and cache: a gateway has little memory, and an event is 100 bytes.
    try database.execute(
      """
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512;
      PRAGMA wal_autocheckpoint = 256;
      """)
    try Migration.queue.run(on: database)
    // Until what the last run left is moved, nobody could tell its moving from a write of another program.
    try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    database.keepLog(false)
    // Another program asks how much fits; on a full disk it gets the answer of before. A flood that
    // the last run saw is none of this one.
    try? database.execute("REPLACE INTO settings VALUES(1, \(limit)); DELETE FROM crowd")
    // A file of an earlier version can only be made anew for that, which is cheap while it is empty.
    if try database.integer("PRAGMA auto_vacuum") == 0,
      try database.integer("SELECT count(*) FROM events") == 0
    {
      try? database.execute("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
    }
    // A log that is taken away before the first commit is noticed as well.
    try database.checkPlace()
    self.database = database
  }

  /// So many free pages stay in the file for what comes next, and so many are given back at a time.
  private static let spare = 64, piece = 512

  /// Gives room that nothing needs any more back to the file system, a piece at a time: after an
  /// outage that took weeks a queue is large, and then never again.
  ///
  /// - Returns: whether there is more to give back.
  func shrink() -> Bool {
    guard let free = try? database.integer("PRAGMA freelist_count"), free > QueueFile.spare,
      (try? database.execute("PRAGMA incremental_vacuum(\(QueueFile.piece))")) != nil
    else { return false }
    return free - Int64(QueueFile.piece) > QueueFile.spare
  }

  /// Reads a file that nobody else uses from beginning to end.
  ///
  /// - Throws: an error of kind `damaged` when it is no queue that can be read.
  static func checkContents(_ path: String) throws(DeviceStoreError) {
    let database = try Database(path: path, patience: .seconds(1))
    // Without an index of the log in a file, and without a log that stays.
    try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    guard try Migration.queue.check(database) > 0 else { throw .damaged(path, "it is empty") }
    if let damage = try database.damage() { throw .damaged(path, damage) }
  }

  /// How many events wait, how many of them are doubtful, and how many are set aside.
  struct Counts {
    let waiting: Int
    let doubtful: Int
    let aside: Int
  }

  func counts() throws(DeviceStoreError) -> Counts {
    let count = { (table: StaticString) throws(DeviceStoreError) in
      Int(clamping: try self.database.integer("SELECT count(*) FROM \(table)"))
    }
    return Counts(
      waiting: try count("events"), doubtful: try count("events WHERE doubtful = 1"),
      aside: try count("aside"))
  }
}
