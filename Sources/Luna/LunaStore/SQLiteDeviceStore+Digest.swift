package import LunaCore
import SQLite

extension SQLiteDeviceStore: DeviceDigests {
  /// What ``allDevices()`` and ``sharedStatus()`` read.
  private static let digested = [
    """
    SELECT uuid, name, kind, onboarded, unauthenticated, keys, firmware FROM devices ORDER BY id
    """,
    "SELECT tracker, max(until) FROM shares WHERE status <> 0 GROUP BY tracker ORDER BY tracker",
  ]

  /// The rows as they are stored: no key is opened, and no device made.
  package func deviceDigest() throws(DeviceStoreError) -> Int? {
    var hasher = Hasher()
    for sql in SQLiteDeviceStore.digested {
      let row = try database.prepare(sql)
      var count = 0
      while try row.step() {
        // Each with its length.
        for column in 0..<row.columnCount { hasher.combine(row.bytes(column)) }
        count += 1
      }
      hasher.combine(count)
    }
    return hasher.finalize()
  }
}
