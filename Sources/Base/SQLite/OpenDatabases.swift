import Synchronization

/// The databases that this process has open.
///
/// Whoever opens and closes such a file, or the index of its log, in any other way than through SQLite lets go
/// of all locks that the process holds on it (fcntl(2), "record locks"): other processes would then take it
/// as unused, and make its index anew under the feet of this one.
enum OpenDatabases {
  private static let counts = Mutex<[String: Int]>([:])

  static func add(_ path: String) { counts.withLock { $0[path, default: 0] += 1 } }

  static func remove(_ path: String) {
    counts.withLock { counts in
      counts[path] = counts[path].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  /// Does something with the files of a database that is not open here; nil when it is.
  static func unlessOpen<Result>(_ path: String, _ body: () -> Result?) -> Result? {
    counts.withLock { $0[path] == nil ? body() : nil }
  }
}
