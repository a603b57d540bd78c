import EventLoop
import Synchronization

/// The connections on which owners fetch their events. Nothing else waits behind these queries: uploads, tokens
/// and leases have connections of their own (``PostgreSQLPool``).
final class PostgreSQLQueries: Sendable {
  typealias Query = @Sendable (PostgreSQLConnection) -> Void

  /// How many queries may wait.
  static let limit = 64

  private struct Worker: Sendable {
    let thread = Blocking(name: "luna.backend.postgresql.queries")
    let connection: PostgreSQLConnection
  }

  private struct State {
    var turns: PostgreSQLQueryTurns<Query>
    var idle: [Int]
  }

  private let workers: [Worker]
  private let state: Mutex<State>

  init(_ settings: String, _ link: PostgreSQLLink, connections: Int) {
    workers = (0..<connections).map { _ in
      Worker(connection: PostgreSQLConnection(settings, link, for: .queries))
    }
    state = Mutex(
      State(
        turns: PostgreSQLQueryTurns(
          share: max(1, connections / 2), limit: PostgreSQLQueries.limit),
        idle: Array(0..<connections)))
  }

  /// Does a query of an owner when it is its turn.
  ///
  /// - Throws: `overloaded` when too many wait.
  func run<Output: Sendable>(
    for owner: String,
    _ body: @escaping @Sendable (PostgreSQLConnection) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    let (patience, began) = (StoragePatience.current, ContinuousClock.now)
    let end = patience?.end
    defer { patience?.spend(since: began) }
    let result: Result<Output, StorageError> = await withCheckedContinuation { continuation in
      let isTaken = state.withLock { state in
        state.turns.add(
          { connection in
            do throws(StorageError) {
              guard !end.isOver() else { throw .late }
              connection.end = end
              continuation.resume(returning: .success(try body(connection)))
            } catch {
              continuation.resume(returning: .failure(error))
            }
          }, of: owner)
      }
      if isTaken {
        wake()
      } else {
        continuation.resume(
          returning: .failure(
            StorageError(.overloaded, "more queries of owners wait than is allowed")))
      }
    }
    return try result.get()
  }

  /// Sets a connection that has nothing to do to the next query, where there is one.
  private func wake() {
    let start = state.withLock { state -> (Int, String, Query)? in
      guard let index = state.idle.last, let next = state.turns.next() else { return nil }
      state.idle.removeLast()
      return (index, next.owner, next.query)
    }
    guard let (index, owner, query) = start else { return }
    workers[index].thread.start { [self] in
      query(workers[index].connection)
      state.withLock { state in
        state.turns.end(of: owner)
        state.idle.append(index)
      }
      wake()
    }
  }
}
