import Glibc
package import LunaCore
import SQLite

extension StateDirectory {
  /// The databases that may be in a state directory.
  package enum Contents: Sendable {
    case devices
    case queue
  }

  /// Up to this size a database is read from beginning to end.
  private static let readable = 64 << 20

  /// Looks into a database without changing it.
  ///
  /// - Returns: whether it is there.
  /// - Throws: why it cannot be used.
  package func check(
    _ fileName: String, as contents: Contents
  ) throws(DeviceStoreError) -> Bool {
    let file = "\(path)/\(fileName)"
    var status = stat()
    guard stat(file, &status) == 0 else {
      if errno == ENOENT { return false }
      throw .system("read", file, errno)
    }
    guard access(file, R_OK) == 0 else { throw .system("read", file, errno) }
    let place: DatabasePlace = try Database.place(of: file)
    if let damage = LogWatch.damageLeft(at: place) { throw .damaged(place.path, damage) }
    let database = try Database(at: place, patience: .seconds(2), isReadOnly: true)
    database.keepLog(true)
    let migration = contents == .devices ? Migration.devices : .queue
    _ = try migration.check(database)
    guard status.st_size <= StateDirectory.readable else { return true }
    if let damage = try database.damage() { throw .damaged(file, damage) }
    return true
  }
}
