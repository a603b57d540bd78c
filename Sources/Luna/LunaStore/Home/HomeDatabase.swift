package import LunaCore
package import SQLite

/// The database of a home, open. A room that keeps something of its own there adds a step to its schema
/// and an extension of this with its statements, for use in a transaction of ``HomeStore``.
package struct HomeDatabase: ~Copyable {
  /// The connection.
  package let connection: SQLite.Database<DeviceStoreError>

  /// Opens the file, and makes it where there is none.
  init(at place: DatabasePlace, patience: Duration) throws(DeviceStoreError) {
    try place.checkLog()
    try StateDirectory.secure(place)
    let database = try Database(at: place, patience: patience, watch: LogWatch(place))
    // What is no database of ours is recognised before anything is written.
    _ = try Migration.home.check(database)
    try database.execute(
      """
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2048;
      PRAGMA wal_autocheckpoint = 512;
      """)
    try Migration.home.run(on: database)
    // A log that is taken away before anything is written is noticed as well.
    try database.checkPlace()
    connection = database
  }

  /// Opens a file that is there, for reading.
  init(reading path: String, patience: Duration) throws(DeviceStoreError) {
    let place: DatabasePlace = try Database.place(of: path)
    try place.checkLog()
    let database = try Database(at: place, patience: patience, isReadOnly: true)
    database.keepLog(true)
    guard try Migration.home.check(database) == Migration.home.steps.count else {
      throw DeviceStoreError(
        .failed,
        "\(path) is of an older version; a home that runs brings it up to date")
    }
    connection = database
  }

  /// How many bytes are in use.
  package func size() throws(DeviceStoreError) -> Int64 {
    let pages = try connection.integer("PRAGMA page_count")
    let free = try connection.integer("PRAGMA freelist_count")
    return (pages - free) * (try connection.integer("PRAGMA page_size"))
  }

  /// Gives room back to the file system, a piece at a time.
  func shrink() {
    guard let free = try? connection.integer("PRAGMA freelist_count"), free > 256 else { return }
    try? connection.execute("PRAGMA incremental_vacuum(2048)")
  }
}
