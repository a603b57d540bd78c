import Diagnosis
import EventLoop
import FileOutput
import Glibc
import SQLite

/// Keeps what a backend knows in one SQLite file, with full synchronisation: what a call has returned
/// from is there after `kill -9` and a power cut.
///
/// One process serves a file: it alone moves what was committed from the log into the file, and goes on after
/// damage. Other processes may add and revoke tokens in it, and back it up.
public final class SQLiteStorage: Storage {
  /// Where the file is, as it was named.
  public let path: String
  /// What is wrong with the log that the last run left: what was taken into it after that cannot be read
  /// any more.
  public let damageLeft: String?
  private let place: SQLitePlace
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
  ///   - isServing: whether this is the process that serves it.
  /// - Throws: `damaged` for one that is not, when the log cannot be read to its end.
  public init(
    path: String, capacity: Int = StorageSettings().capacity, readers: Int = 2,
    isMade: Bool = true, isServing: Bool = true
  ) throws(StorageError) {
    self.path = path
    place = SQLitePlace(try Database<StorageError>.place(of: path), isServing: isServing)
    if isMade {
      try SQLiteStorage.create(place.file)
    } else {
      if access(place.file.path, R_OK | W_OK) != 0 {
        if errno == ENOENT { throw .absent(path) }
        throw StorageError.opening(path, errno, "give this user access to it")
      }
      if SQLiteStorage.isEmpty(place.file) { throw .empty(path) }
    }
    damageLeft = LogWatch.damageLeft(at: place.file)
    if !isServing, let damageLeft { throw .leftDamaged(path, damageLeft) }
    writer = try SQLiteWriter(capacity: capacity, place: place)
    self.readers = try SQLiteReaders(count: readers, place: place)
  }

  /// For the owner of the process alone: it tells who asked for what.
  private static func create(_ place: DatabasePlace) throws(StorageError) {
    let descriptor = open(place.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw StorageError.opening(place.path, errno, "give this user access to it")
    }
    Glibc.close(descriptor)
  }

  private static func isEmpty(_ place: DatabasePlace) -> Bool {
    var status = stat()
    return stat(place.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_size == 0
  }

  /// Brings the file to this version.
  public func migrate() async throws(StorageError) {
    try await writer.perform { connection throws(StorageError) in
      try SQLiteSchema.migrate(connection.database)
    }
  }

  /// Nobody tells: looking costs microseconds.
  public func watch(_ told: @escaping @Sendable () -> Void) -> (any StorageWatch)? { nil }

  /// How much waits to be written.
  public var load: Double { writer.load }

  /// Writes something, to see whether that works.
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
    let backup = try await Blocking.run { [place] () throws(StorageError) in
      try BackupPlace(of: place.file, at: path, replacing: replacing)
    }
    try await readers.read { connection throws(StorageError) in
      try backup.take(connection.database)
    }
    // The copy is put on the disk.
    try await Blocking.run { () throws(StorageError) in try backup.install() }
  }

  /// Writes a copy of a file that other processes may be using, as it is, and changes nothing of it.
  public static func backup(
    _ source: String, to path: String, replacing: Bool
  ) throws(StorageError) {
    guard access(source, F_OK) == 0 || errno != ENOENT else { throw .absent(source) }
    let place = try Database<StorageError>.place(of: source)
    if isEmpty(place) { throw .empty(source) }
    if let damage = LogWatch.damageLeft(at: place) { throw .leftDamaged(source, damage) }
    let database = try Database<StorageError>(
      at: place, patience: .seconds(10), isReadOnly: true)
    database.keepLog(true)
    guard try SQLiteSchema.check(database) > 0 else { throw .empty(source) }
    let backup = try BackupPlace(of: place, at: path, replacing: replacing)
    try backup.take(database)
    try backup.install()
  }

  /// Waits for what is being written.
  public func close() async {
    try? await writer.perform { [place] connection throws(StorageError) in
      guard place.isServing, place.loss == nil, connection.database.readLogThrough() == nil
      else { return }
      try connection.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }
}
