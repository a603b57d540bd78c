import Glibc

/// What tells that a file was written to: its size, and when it was changed.
struct FileStamp: Equatable {
  let size: Int64
  let seconds: Int
  private let nanoseconds: Int

  /// That of the file at a path now; nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    size = Int64(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
