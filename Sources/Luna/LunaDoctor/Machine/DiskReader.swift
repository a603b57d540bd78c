import FileOutput
import Glibc

/// Reads what a file system tells. Blocks.
enum DiskReader {
  static func read(_ directory: String) -> DiskFacts {
    let path = present(directory)
    var facts = DiskFacts(path: path, isThere: path == directory)
    var status = statvfs()
    guard statvfs(facts.path, &status) == 0 else {
      if errno == EACCES {
        facts.isWritable = false
      } else {
        facts.problem = String(cString: strerror(errno))
      }
      return facts
    }
    facts.free = status.freeBytes
    // Some file systems make room for files as they go, and count none.
    facts.freeFiles = status.f_files > 0 ? UInt64(status.f_favail) : nil
    facts.isReadOnly = status.f_flag & UInt(ST_RDONLY) != 0
    facts.isWritable = access(facts.path, W_OK | X_OK) == 0
    return facts
  }

  /// The directory, or as much of the way to it as is there.
  private static func present(_ directory: String) -> String {
    var path = Substring(directory)
    while access(String(path), F_OK) != 0, errno == ENOENT, let slash = path.lastIndex(of: "/") {
      path = slash == path.startIndex ? "/" : path[..<slash]
      if path == "/" { break }
    }
    return String(path)
  }
}
