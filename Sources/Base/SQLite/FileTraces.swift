import Glibc

/// What writing into a database leaves on its file and its log: their sizes, and when they were changed. To look at it
/// costs two system calls, and needs no connection.
package struct FileTraces: Equatable, Sendable {
  private let file: FileStamp?
  private let log: FileStamp?
  private let looked: time_t

  /// Those of the database at a path, now.
  package init(of path: String) {
    looked = time(nil)
    file = FileStamp(path)
    log = FileStamp(path + "-wal")
  }

  /// Whether somebody may have written since an earlier look. The clock of a file system is coarse: what was changed
  /// only just before that look may have been changed again since, and is no proof that nobody has.
  package func differ(from earlier: FileTraces) -> Bool {
    guard file == earlier.file, log == earlier.log else { return true }
    return [file, log].contains { trace in trace.map { $0.seconds >= earlier.looked - 1 } ?? false }
  }
}
