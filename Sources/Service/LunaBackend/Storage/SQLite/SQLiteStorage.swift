import Diagnosis
import FileOutput
import Glibc
import SQLite

/// Keeps what a backend knows in one SQLite file, with full synchronisation: what a call has returned
/// from is there after `kill -9` and a power cut.
///
/// One process serves a file. Other processes may add and revoke tokens in it, and back it up.
public final class SQLiteStorage: Storage {
  /// Where the file is.
  public let path: String
  let writer: SQLiteWriter
  let readers: SQLiteReaders

  /// How logs call it.
  public var name: String { "sqlite:\(path)" }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - capacity: how many events may wait to be written before ``Storage/ingest(_:at:)`` throws
  ///     `overloaded`.
  ///   - readers: how many threads read.
  ///   - isMade: whether it is made where there is none.
  public init(
    path: String, capacity: Int = StorageSettings().capacity, readers: Int = 2, isMade: Bool = true
  ) throws(StorageError) {
    self.path = path
    if isMade {
      try SQLiteStorage.create(path)
    } else {
      guard access(path, F_OK) == 0 || errno != ENOENT else { throw .absent(path) }
    }
    let place = SQLitePlace()
    writer = try SQLiteWriter(path: path, capacity: capacity, place: place)
    self.readers = try SQLiteReaders(path: path, count: readers, place: place)
  }

  /// For the owner of the process alone: it tells who asked for what.
  private static func create(_ path: String) throws(StorageError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StorageError.opening(path, errno, "give this user access to it")
    }
    Glibc.close(descriptor)
  }

  /// Brings the file to this version.
  public func migrate() async throws(StorageError) {
    try await writer.perform { connection throws(StorageError) in
      try SQLiteSchema.migrate(connection.database)
    }
  }

  /// Nobody tells: looking costs microseconds.
  public func watch(_ told: @escaping @Sendable () -> Void) -> (any StorageWatch)? { nil }

  // MARK: Operation

  /// How much waits to be written.
  public var load: Double { writer.load }

  /// Writes something.
  public func health() async throws(StorageError) {
    try await writer.write { connection throws(StorageError) in
      guard try SQLiteSchema.check(connection.database) == SQLiteSchema.steps.count else {
        throw StorageError(
          .outdated, "the file has not been brought to this version", remedy: "\(.migration)")
      }
      try connection.database.execute("UPDATE probe SET count = count + 1")
    }
  }

  /// Writes a copy into a file.
  public func backup(to path: String, replacing: Bool) async throws(StorageError) {
    let place = try BackupPlace(of: self.path, at: path, replacing: replacing)
    try await readers.read { connection throws(StorageError) in
      try place.take(connection.database)
    }
    try place.install()
  }

  /// Writes a copy of a file that other processes may be using, as it is, and changes nothing of it.
  public static func backup(
    _ source: String, to path: String, replacing: Bool
  ) throws(StorageError) {
    guard access(source, F_OK) == 0 || errno != ENOENT else { throw .absent(source) }
    let database = try Database<StorageError>(
      path: source, patience: .seconds(10), isReadOnly: true)
    guard try SQLiteSchema.check(database) > 0 else {
      throw StorageError(
        .foreign, "\(source) has never been a storage: it is empty", remedy: "name another file")
    }
    let place = try BackupPlace(of: source, at: path, replacing: replacing)
    try place.take(database)
    try place.install()
  }

  /// Waits for what is being written.
  public func close() async {
    try? await writer.perform { connection throws(StorageError) in
      try connection.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }
}
