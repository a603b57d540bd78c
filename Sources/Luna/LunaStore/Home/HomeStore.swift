import EventLoop
import Glibc
public import LunaCore
import SQLite
import Synchronization

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
  /// Where it is opened anew after it was damaged or moved away; nil where it is not.
  private var place: DatabasePlace?
  /// Why it is not open just now.
  private var failure: DeviceStoreError?
  private let blocking: Blocking

  /// Those of this process that are open, each of which would keep the others at a file that is no more.
  private static let all = Mutex<[WeakStore]>([])

  private struct WeakStore: Sendable {
    weak var store: HomeStore?
  }

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
      guard try directory.holds(fileName) else { return nil }
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
      return HomeStore(
        place.path, try HomeDatabase(at: place, patience: .seconds(10)), nil, at: place)
    }
  }

  init(in directory: StateDirectory) throws(DeviceStoreError) {
    let place = try directory.place(of: HomeStore.fileName)
    let lock = try Lock(place.path)
    self.init(
      place.path, try HomeDatabase(at: place, patience: .seconds(10)), lock, at: place)
  }

  private init(
    _ path: String, _ file: consuming HomeDatabase, _ lock: Lock?, at place: DatabasePlace? = nil
  ) {
    self.path = path
    self.file = Holder(file)
    self.lock = lock
    self.place = place
    blocking = Blocking(name: "luna.home-store")
    guard place != nil else { return }
    HomeStore.all.withLock { all in
      all.removeAll { $0.store == nil }
      all.append(WeakStore(store: self))
    }
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
    try watching { holder throws(DeviceStoreError) in
      try holder.file.connection.transaction { () throws(DeviceStoreError) in
        try body(holder.file)
      }
    }
  }

  /// Reads one state of the database.
  package func read<Result: Sendable>(
    _ body: @Sendable (borrowing HomeDatabase) throws(DeviceStoreError) -> Result
  ) throws(DeviceStoreError) -> Result {
    try watching { holder throws(DeviceStoreError) in
      try holder.file.connection.snapshot { () throws(DeviceStoreError) in
        try body(holder.file)
      }
    }
  }

  /// Uses the file. Where that is damaged, or is not in its place any more, it is let go of: what is whole there the
  /// next time is gone on with.
  private func watching<Result>(
    _ body: (Holder) throws(DeviceStoreError) -> Result
  ) throws(DeviceStoreError) -> Result {
    let holder = try opened()
    do throws(DeviceStoreError) {
      return try body(holder)
    } catch {
      if place != nil, [.damaged, .gone].contains(error.kind) {
        letGo(error)
        let others = HomeStore.all.withLock { all in all.compactMap { $0.store } }
        for other in others where other !== self && other.path == path {
          Task { await other.letGo(error) }
        }
      }
      throw error
    }
  }

  private func letGo(_ error: DeviceStoreError) {
    guard place != nil else { return }
    failure = error
    // Closing would delete the log at the path, which may be another file's.
    file?.file.connection.keepLog(true)
    file = nil
  }

  private func opened() throws(DeviceStoreError) -> Holder {
    if let file { return file }
    guard let place else { throw DeviceStoreError(.failed, "\(path) was closed") }
    // An empty one is not made: whoever moves one away may be about to put another one there.
    if let failure, access(place.path, F_OK) != 0 { throw failure }
    let holder = Holder(try HomeDatabase(at: place, patience: .seconds(10)))
    file = holder
    failure = nil
    return holder
  }

  /// Gives room back to the file system.
  package func shrink() { file?.file.shrink() }

  /// Closes the file, and lets another home in.
  package func close() {
    file = nil
    lock = nil
    place = nil
  }
}
