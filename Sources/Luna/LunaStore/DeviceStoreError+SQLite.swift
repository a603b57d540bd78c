import Diagnosis
import Glibc
public import LunaCore
public import SQLite

extension DeviceStoreError: DatabaseError {
  /// What SQLite said, and what that means to a user.
  public init(_ failure: SQLiteFailure, path: String, doing: String) {
    switch failure.kind {
    case .full: self = .full(path)
    case .damaged: self = .damaged(path, failure.message)
    case .busy:
      self.init(
        .busy, "cannot \(doing) \(path): another program keeps it locked",
        remedy: "wait for it to end, or find it with: fuser \(path)")
    case .denied where [EMFILE, ENFILE].contains(failure.systemError):
      self = .system(doing, path, failure.systemError)
    case .denied:
      self.init(
        .denied, "cannot \(doing) \(path): \(failure.cause)",
        remedy: "give this user access to it, or use \(.directory)")
    case .gone:
      self.init(
        .gone, "\(failure.message) while it was in use",
        remedy: "nothing more is kept: restore it, or import the devices again, then restart")
    case .link:
      self.init(
        .denied, "cannot \(doing) \(path): \(failure.message)",
        remedy: "name the file itself, or let this user or root make the link")
    case .noFile: self = .noFile(doing, path, failure.message)
    case .other:
      let why =
        failure.systemError == 0 ? failure.message : "\(failure.message) (\(failure.cause))"
      self.init(.failed, "cannot \(doing) \(path): \(why)")
    }
  }
}

/// A connection to a database file that says what goes wrong as this room does.
typealias Database = SQLite.Database<DeviceStoreError>
typealias Statement = SQLite.Statement<DeviceStoreError>
