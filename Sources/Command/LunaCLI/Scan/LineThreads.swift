import CLinux
import Glibc

/// On how many threads the lines of a recording are made.
enum LineThreads {
  /// Smaller files, of some 60,000 advertisements, are printed before it pays.
  private static let leastSize = 4 << 20
  /// With so many, reading the recording takes as long as all that the others do.
  private static let most = 4

  /// Nil where it is one: the file is small, or none, or there is one processor.
  static func count(for path: String) -> Int? {
    var status = stat()
    guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size >= leastSize
    else { return nil }
    let count = min(most, Int(luna_processors()))
    return count > 1 ? count : nil
  }
}
