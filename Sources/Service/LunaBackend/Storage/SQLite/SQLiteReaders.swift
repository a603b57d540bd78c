import EventLoop
import SQLite
import Synchronization

/// Connections that read while others write (WAL).
final class SQLiteReaders: Sendable {
  /// A connection for long reads, with a thread of its own.
  private struct Reader: Sendable {
    let thread = Blocking(name: "luna.backend.reader")
    let connection: SQLiteConnection
  }

  private let place: SQLitePlace
  private let readers: [Reader]
  private let next = Atomic(0)
  /// For look-ups of microseconds, which are done where they are needed.
  private let quick: Mutex<SQLiteConnection>

  init(count: Int, place: SQLitePlace) throws(StorageError) {
    self.place = place
    var readers: [Reader] = []
    for _ in 0..<count {
      readers.append(Reader(connection: try SQLiteReaders.connection(to: place)))
    }
    self.readers = readers
    quick = Mutex(try SQLiteReaders.connection(to: place))
  }

  /// A connection that has the log open, which SQLite opens only when something is read: one that may not be
  /// opened any more by then would have some readers fail while the others go on.
  private static func connection(to place: SQLitePlace) throws(StorageError) -> SQLiteConnection {
    let connection = try SQLiteConnection(at: place, isReadOnly: true)
    _ = try connection.database.integer("SELECT count(*) FROM sqlite_schema")
    return connection
  }

  /// Looks up a few rows.
  func lookUp<Output>(
    _ body: (SQLiteConnection) throws(StorageError) -> sending Output
  ) throws(StorageError) -> sending Output {
    try quick.withLock { connection throws(StorageError) in
      try place.check(connection)
      do throws(StorageError) {
        return try body(connection)
      } catch {
        place.note(error)
        throw error
      }
    }
  }

  /// Reads many rows, on one of the threads for that.
  func read<Output: Sendable>(
    _ body: @escaping @Sendable (SQLiteConnection) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
    let reader = readers[Int(UInt(bitPattern: turn) % UInt(readers.count))]
    return try await reader.thread.run { [place] () throws(StorageError) -> Output in
      do throws(StorageError) {
        try place.check(reader.connection)
        return try body(reader.connection)
      } catch {
        place.note(error)
        throw error
      }
    }
  }
}
