import Diagnosis
import Glibc

/// Files that are read whole. It blocks.
enum WholeFile {
  /// The bytes of a file.
  ///
  /// - Parameter limit: a larger one is refused.
  static func read(_ path: String, limit: Int) throws(HomeError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path, errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
    throw HomeError(
      .file, "\(path) is larger than \(limit >> 20) MiB", remedy: "name another file")
  }

  private static func unreadable(_ path: String, _ code: Int32) -> HomeError {
    HomeError(
      .file, "\(path) cannot be read: \(String(cString: strerror(code)))",
      remedy: code == EACCES || code == EPERM
        ? "change the permissions of the file" : "check its name")
  }
}

extension HomeFile {
  /// No file of a home is larger, bytes.
  private static let limit = 64 << 20

  /// The bytes of a file. It blocks.
  package static func read(_ path: String) throws(HomeError) -> [UInt8] {
    try WholeFile.read(path, limit: limit)
  }
}
