import EventLoop
import Glibc
public import LunaCore
import SQLite

/// `home.sqlite`: what a home remembers, in WAL mode with synchronous = FULL and for its owner alone. One
/// process writes; others may read meanwhile.
public actor HomeStore {
  /// The name of the file.
  public static let fileName = "home.sqlite"

  /// Where it is.
  public nonisolated let path: String
  /// The file is a value without copies, and a class holds it.
  private var file: Holder?
  private var lock: Lock?
  private let blocking: Blocking

  private final class Holder {
    let file: HomeDatabase

    init(_ file: consuming HomeDatabase) { self.file = file }
  }

  private final class Lock {
    let lock: ExclusiveLock

    init(_ path: String) throws(DeviceStoreError) {
      lock = try ExclusiveLock(path: path + ".lock", what: "another home")
    }
  }

  /// Waiting for the disk keeps nobody else's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    blocking.asUnownedSerialExecutor()
  }

  /// Opens the database, and makes it where there is none.
  ///
  /// - Throws: ``LunaCore/DeviceStoreError``, of kind `busy` when another home has it.
  public static func open(in directory: StateDirectory) async throws(DeviceStoreError) -> HomeStore
  {
    try await Blocking.run { () throws(DeviceStoreError) in try HomeStore(in: directory) }
  }

  /// Opens the database that a home has written, perhaps one that runs, to read what is in it.
  ///
  /// - Returns: nil when there is none.
  public static func reading(
    in directory: StateDirectory
  ) async throws(DeviceStoreError) -> HomeStore? {
    try await Blocking.run { () throws(DeviceStoreError) in
      let path = "\(directory.path)/\(fileName)"
      guard access(path, F_OK) == 0 else { return nil }
      return HomeStore(path, try HomeDatabase(reading: path, patience: .seconds(10)), nil)
    }
  }

  /// Opens the database beside a home that perhaps runs, to read and write what belongs to people: accounts,
  /// what they make.
  public static func beside(
    in directory: StateDirectory
  ) async throws(DeviceStoreError) -> HomeStore {
    try await Blocking.run { () throws(DeviceStoreError) in
      let place = try directory.place(of: fileName)
      return HomeStore(place.path, try HomeDatabase(at: place, patience: .seconds(10)), nil)
    }
  }

  init(in directory: StateDirectory) throws(DeviceStoreError) {
    let place = try directory.place(of: HomeStore.fileName)
    let lock = try Lock(place.path)
    self.init(place.path, try HomeDatabase(at: place, patience: .seconds(10)), lock)
  }

  private init(_ path: String, _ file: consuming HomeDatabase, _ lock: Lock?) {
    self.path = path
    self.file = Holder(file)
    self.lock = lock
    blocking = Blocking(name: "luna.home-store")
  }

  /// Does all of `body` or nothing. On a full disk it is tried a second time, after the log has begun anew.
  package func transaction<Result: Sendable>(
    _ body: @Sendable (borrowing HomeDatabase) throws(DeviceStoreError) -> Result
  ) throws(DeviceStoreError) -> Result {
    do throws(DeviceStoreError) {
      return try writeOnce(body)
    } catch {
      guard error.kind == .full else { throw error }
      try? file?.file.connection.execute("PRAGMA wal_checkpoint(RESTART)")
      return try writeOnce(body)
    }
  }

  private func writeOnce<Result: Sendable>(
    _ body: @Sendable (borrowing HomeDatabase) throws(DeviceStoreError) -> Result
  ) throws(DeviceStoreError) -> Result {
    let holder = try opened()
    return try holder.file.connection.transaction { () throws(DeviceStoreError) in
      try body(holder.file)
    }
  }

  /// Reads one state of the database.
  package func read<Result: Sendable>(
    _ body: @Sendable (borrowing HomeDatabase) throws(DeviceStoreError) -> Result
  ) throws(DeviceStoreError) -> Result {
    let holder = try opened()
    return try holder.file.connection.snapshot { () throws(DeviceStoreError) in
      try body(holder.file)
    }
  }

  private func opened() throws(DeviceStoreError) -> Holder {
    guard let file else { throw DeviceStoreError(.failed, "\(path) was closed") }
    return file
  }

  /// Gives room back to the file system.
  package func shrink() { file?.file.shrink() }

  /// Closes the file, and lets another home in.
  package func close() {
    file = nil
    lock = nil
  }
}
