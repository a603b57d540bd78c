import LunaCore
import SQLite

/// The steps by which a database comes from one version of its schema to the next. A step that was
/// released never changes: new versions add steps.
struct Migration: Sendable {
  /// Marks our databases (`PRAGMA application_id`).
  let applicationID: Int64

  /// The version is the number of steps taken.
  let steps: [String]

  /// Brings a database to a version; for tests also to an older one than the newest.
  func run(
    on database: borrowing Database, upTo last: Int? = nil
  ) throws(DeviceStoreError) {
    let version = last ?? steps.count
    // Outside of a transaction first: nothing is written into a database that is not ours.
    guard try check(database) < version else { return }
    try database.execute("BEGIN IMMEDIATE")
    do throws(DeviceStoreError) {
      // Another process may have come first.
      let present = try check(database)
      if present == 0 { try database.execute("PRAGMA application_id = \(applicationID)") }
      for step in steps[..<version].dropFirst(present) { try database.execute(step) }
      if present < version { try database.execute("PRAGMA user_version = \(version)") }
      try database.execute("COMMIT")
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  /// The version that is there.
  func check(_ database: borrowing Database) throws(DeviceStoreError) -> Int {
    let version = try database.integer("PRAGMA user_version")
    let application = try database.integer("PRAGMA application_id")
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    guard application == applicationID || (application == 0 && version == 0 && isEmpty) else {
      throw .foreign(database.path)
    }
    guard version <= steps.count else {
      throw .newer(database.path, version: version, known: steps.count)
    }
    guard version >= 0, version > 0 || isEmpty else {
      throw .damaged(database.path, "its schema has version \(version)")
    }
    return Int(version)
  }
}
