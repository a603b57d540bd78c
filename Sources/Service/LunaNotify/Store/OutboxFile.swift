import EventLoop
import LunaStore
package import SQLite
import Synchronization

/// The outbox in a database file, over a connection of its own, beside the one that puts entries into it
/// together with what the rules have come to.
package final class OutboxFile: Sendable {
  /// The connection is used by one thread at a time.
  private struct Connection: ~Copyable, @unchecked Sendable {
    let database: Database<OutboxError>
  }

  private let connection: Mutex<Connection>
  private let blocking = Blocking(name: "luna.outbox")

  /// Opens a file that has the table, beside the threads of tasks.
  ///
  /// - Throws: as the initializer does.
  package static func open(
    path: String, patience: Duration = .seconds(10)
  ) async throws -> OutboxFile {
    try await Blocking.run { () throws -> OutboxFile in
      try OutboxFile(path: path, patience: patience)
    }
  }

  /// Opens a file that has the table, and waits for the disk and for others who have it.
  ///
  /// - Throws: ``OutboxError``; an error of the home's store when the last to use it left a log that cannot be read.
  package init(path: String, patience: Duration = .seconds(10)) throws {
    let place = try Database<OutboxError>.place(of: path)
    try place.checkLog()
    let database = try Database<OutboxError>(
      at: place, patience: patience, watch: LogWatch(place))
    try database.execute("PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF")
    connection = Mutex(Connection(database: database))
  }

  /// Works with the database, unless it is gone or somebody else wrote into it, and waits for the disk.
  package func work<Result: Sendable>(
    _ body: (borrowing Database<OutboxError>) throws(OutboxError) -> Result
  ) throws(OutboxError) -> Result {
    try connection.withLock { (connection) throws(OutboxError) in
      try connection.database.checkPlace()
      return try body(connection.database)
    }
  }

  /// The same, beside the threads of tasks.
  package func run<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing Database<OutboxError>) throws(OutboxError) -> Result
  ) async throws(OutboxError) -> Result {
    try await blocking.run { () throws(OutboxError) in try self.work(body) }
  }
}
