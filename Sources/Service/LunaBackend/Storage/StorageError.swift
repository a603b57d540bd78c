public import Diagnosis
public import SQLite

/// Why a storage cannot do what was asked.
public struct StorageError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// More is waiting to be written than is allowed.
    case overloaded
    /// No room on the disk.
    case full
    /// Others kept it busy for too long, or the database server cannot be reached.
    case unavailable
    /// The files or the database may not be used.
    case denied
    /// The contents are damaged.
    case damaged
    /// It was written by a newer version, or by another program.
    case foreign
    /// It has not been brought to this version yet.
    case outdated
    /// Other processes on the same database go by something else.
    case differs
    /// There is too much of something already.
    case limit
    /// What says where it is cannot be understood.
    case malformed
    /// There is no such directory.
    case missing
    /// There is no such storage, and it was not to be made.
    case absent
    /// A file that was to be made is there already.
    case exists
    /// Its file was deleted, moved or replaced while it was open.
    case replaced
    /// Something else.
    case failed
  }

  /// The kind of failure.
  public let kind: Kind
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis

  /// A failure of `kind`; what does not fit on one line is escaped.
  public init(_ kind: Kind, _ reason: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
  }
}

extension StorageError: DatabaseError {
  /// What SQLite said, and what that means here.
  public init(_ failure: SQLiteFailure, path: String, doing: String) {
    switch failure.kind {
    case .full:
      self.init(
        .full, "cannot write \(path): the disk is full, or a limit on file size is reached",
        remedy: "free some space; what was accepted before is still there")
    case .damaged:
      self.init(
        .damaged, "\(path) is damaged: \(failure.message)",
        remedy: "copy it and its -wal file to a safe place, then restore a backup")
    case .busy:
      self.init(
        .unavailable, "cannot \(doing) \(path): another program keeps it locked",
        remedy: "wait for it to end, or find it with: fuser \(path)")
    case .denied:
      self.init(
        .denied, "cannot \(doing) \(path): \(failure.cause)", remedy: "give this user access to it")
    case .gone:
      self.init(
        .replaced, "\(failure.message) while it was in use: nothing more is taken or given",
        remedy: "put it back and start the backend anew")
    case .link:
      self.init(
        .denied, "cannot \(doing) \(path): \(failure.message)",
        remedy: "name the file itself, or let this user or root make the link")
    case .noFile:
      self.init(
        .missing, "cannot \(doing) \(path): \(failure.message)", remedy: "name another file")
    case .other: self.init(.failed, "cannot \(doing) \(path): \(failure.message)")
    }
  }
}
