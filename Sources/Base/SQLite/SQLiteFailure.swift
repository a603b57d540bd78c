import CSQLite
import Glibc

/// What SQLite said.
public struct SQLiteFailure: Sendable {
  /// What kind of trouble it is.
  public enum Kind: Sendable {
    /// No room on the disk, or a limit on file size is reached.
    case full
    /// The file is no database, or its contents contradict themselves.
    case damaged
    /// Others keep it locked.
    case busy
    /// Permissions, or no such file.
    case denied
    /// The file, or its log, was deleted, moved or replaced while it was open: what is written would
    /// be found by nobody.
    case gone
    /// A symbolic link of another user leads to the file, or one lies where none was before.
    case link
    /// Something that is no file is there: a directory, say, or links in a circle.
    case noFile
    /// Something else.
    case other
  }

  /// What kind of trouble it is.
  public let kind: Kind
  /// The error number of the system call behind it; 0 when there was none.
  public let systemError: Int32
  /// What SQLite calls it.
  public let message: String

  init(_ code: Int32, on handle: OpaquePointer?, path: String) {
    let code = handle.map { sqlite3_extended_errcode($0) } ?? code
    systemError = handle.map { sqlite3_system_errno($0) } ?? 0
    kind = SQLiteFailure.kind(code, systemError, path)
    // Closing would move what is in the log into the damaged file.
    if kind == .damaged, let handle { csqlite_keep_log(handle, 1) }
    message =
      kind == .link
      ? "a symbolic link was put there"
      : handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "error \(code)"
  }

  /// - Parameter message: what became of which file, for a person.
  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    systemError = 0
    self.message = message
  }

  private static func kind(_ code: Int32, _ systemError: Int32, _ path: String) -> Kind {
    switch code & 0xFF {
    case SQLITE_FULL: .full
    // SQLITE_IOERR_SHORT_READ: there is less than was written.
    case SQLITE_IOERR where code == SQLITE_IOERR | 2 << 8: .damaged
    case SQLITE_IOERR
    where [ENOSPC, EDQUOT, EFBIG].contains(systemError) || FreeSpace.isExhausted(for: path):
      .full
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CANTOPEN where code == SQLITE_CANTOPEN | 6 << 8: .link  // SQLITE_CANTOPEN_SYMLINK
    case SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_AUTH: .denied
    default: .other
    }
  }

  /// What the system call behind it said, else what SQLite says.
  public var cause: String {
    systemError == 0 ? message : String(cString: strerror(systemError))
  }
}
