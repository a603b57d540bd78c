import FileOutput
import Glibc

/// Whether there is room to write; SQLite does not always tell why a write failed.
enum FreeSpace {
  /// What SQLite may want at once: a few pages.
  private static let margin: UInt64 = 64 * 1024

  /// Whether the disk under a database is full, or a file of it has reached the limit of the process.
  static func isExhausted(for path: String) -> Bool {
    var disk = statvfs()
    if statvfs(path, &disk) == 0, disk.freeBytes < margin {
      return true
    }
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return false }
    return [path, path + "-wal"].contains { file in
      var status = stat()
      return stat(file, &status) == 0
        && UInt64(status.st_size) > limit.rlim_cur &- min(limit.rlim_cur, UInt(margin))
    }
  }
}
