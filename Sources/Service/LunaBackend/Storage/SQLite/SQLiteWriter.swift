import EventLoop
import SQLite
import Synchronization

/// The one thread that writes. It commits whatever waits in one transaction: while the disk works
/// for some, the next ones gather.
final class SQLiteWriter: Sendable {
  private struct State {
    var waiting: [any SQLiteJob] = []
    var weight = 0
    var isScheduled = false
  }

  private let thread = Blocking(name: "luna.backend.writer", isUrgent: true)
  private let connection: SQLiteConnection
  /// Nil where another process may be serving the file.
  private let checkpoints: SQLiteCheckpoints?
  private let state = Mutex(State())
  private let capacity: Int
  private let place: SQLitePlace

  /// - Parameter capacity: how many events may wait.
  init(capacity: Int, place: SQLitePlace) throws(StorageError) {
    self.place = place
    connection = try SQLiteConnection(at: place, isReadOnly: false)
    // Reads the header; nothing is written into a database that is not ours.
    _ = try SQLiteSchema.check(connection.database)
    // The log ends, and begins anew, only when nobody writes meanwhile: what SQLiteCheckpoints left is
    // moved by the writer, once in 64 MiB.
    try connection.database.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
      PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = \(place.isServing ? 16000 : 0);
      """)
    // The first one to read makes a new index of the log, whatever the last run has left of an old one.
    _ = try connection.database.integer("SELECT count(*) FROM sqlite_schema")
    if place.isServing, connection.database.readLogThrough() == nil {
      // What the last run left in the log is moved first: until then nobody could tell its moving from a
      // write of another program.
      try connection.database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }
    checkpoints = place.isServing ? try SQLiteCheckpoints(at: place) : nil
    self.capacity = capacity
  }

  /// How full the queue is, 0 to 1.
  var load: Double { min(1, Double(state.withLock { $0.weight }) / Double(capacity)) }

  /// Writes; returns when it is on the disk.
  ///
  /// - Parameters:
  ///   - weight: how much of the capacity it takes; with 0 it is done even when the queue is full.
  ///   - body: may run twice, if something that was to be written with it fails.
  func write<Output: Sendable>(
    weight: Int = 0, _ body: @escaping SQLiteTypedJob<Output>.Body
  ) async throws(StorageError) -> Output {
    let hasRoom = state.withLock { state in
      if weight > 0, state.weight + weight > capacity { return false }
      state.weight += weight
      return true
    }
    guard hasRoom else {
      throw StorageError(.overloaded, "more is waiting to be written than is allowed")
    }
    defer { state.withLock { $0.weight -= weight } }
    let result = await withCheckedContinuation { continuation in
      append(SQLiteTypedJob(continuation, body))
    }
    return try result.get()
  }

  private func append(_ job: any SQLiteJob) {
    let isIdle = state.withLock { state in
      state.waiting.append(job)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isIdle { thread.start { self.drain() } }
  }

  private func drain() {
    while true {
      let jobs = state.withLock { state in
        defer { state.waiting = [] }
        state.isScheduled = !state.waiting.isEmpty
        return state.waiting
      }
      if jobs.isEmpty { return }
      defer { checkpoints?.committed(connection.database.totalChanges) }
      if commit(jobs) == nil {
        for job in jobs { job.finish(nil) }
      } else {
        // One of them is to blame: each on its own, so that the others are kept.
        for job in jobs { job.finish(commit([job])) }
      }
    }
  }

  private func commit(_ jobs: [any SQLiteJob]) -> StorageError? {
    if let loss = place.loss { return loss }
    do throws(StorageError) {
      try connection.database.transaction { () throws(StorageError) in
        for job in jobs { try job.run(connection) }
      }
      return nil
    } catch {
      place.note(error)
      return error
    }
  }

  /// Runs something outside of a transaction, between two commits.
  func perform(
    _ body: @escaping @Sendable (SQLiteConnection) throws(StorageError) -> Void
  ) async throws(StorageError) {
    try await thread.run { [connection] () throws(StorageError) in try body(connection) }
  }
}
