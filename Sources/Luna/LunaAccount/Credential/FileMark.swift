import Glibc

/// What tells one version of a file from another without reading it. Each version is a file of its own.
struct FileMark: Hashable, Sendable {
  private let device: UInt
  private let file: UInt
  private let seconds: Int
  private let nanoseconds: Int

  /// - Returns: nil where there is no such file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    file = UInt(status.st_ino)
    seconds = status.st_ctim.tv_sec
    nanoseconds = status.st_ctim.tv_nsec
  }
}
