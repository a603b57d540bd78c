import CSQLite
import Glibc
import LunaCore

/// What SQLite said, and what that means to a user.
struct SQLiteFailure {
  /// The extended result code.
  let code: Int32
  /// The error number of the system call behind it; 0 when there was none.
  let systemError: Int32
  let message: String

  init(_ code: Int32, on handle: OpaquePointer?) {
    self.code = handle.map { sqlite3_extended_errcode($0) } ?? code
    systemError = handle.map { sqlite3_system_errno($0) } ?? 0
    if [SQLITE_CORRUPT, SQLITE_NOTADB].contains(self.code & 0xFF), let handle {
      // Closing would move what is in the log into the damaged file.
      csqlite_keep_log(handle, 1)
    }
    message = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "error \(code)"
  }

  /// - Parameter doing: `open`, `read` or `write`.
  func storeError(_ path: String, _ doing: String) -> DeviceStoreError {
    switch code & 0xFF {
    case SQLITE_FULL: return .full(path)
    case SQLITE_IOERR
    where [ENOSPC, EDQUOT, EFBIG].contains(systemError) || FreeSpace.isExhausted(for: path):
      return .full(path)
    case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged(path, message)
    case SQLITE_BUSY, SQLITE_LOCKED:
      return DeviceStoreError(
        .busy, "cannot \(doing) \(path): another program keeps it locked",
        hint: "wait for it to end, or find it with: fuser \(path)")
    case SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_AUTH:
      let why = systemError == 0 ? message : String(cString: strerror(systemError))
      return DeviceStoreError(
        .denied, "cannot \(doing) \(path): \(why)",
        hint: "give this user access to it, or use --state DIR")
    default:
      let why =
        systemError == 0 ? message : "\(message) (\(String(cString: strerror(systemError))))"
      return DeviceStoreError(.failed, "cannot \(doing) \(path): \(why)")
    }
  }
}
