import Dispatch
import Synchronization

/// Some connections, each with a thread. Batches of events that wait are put into one statement.
final class PostgreSQLPool: Sendable {
  /// A batch that waits.
  struct Ingest: Sendable {
    let events: [IdentifiedEvent]
    let microseconds: Int64
    let continuation: CheckedContinuation<Result<[IngestResult], StorageError>, Never>
  }

  typealias Work = @Sendable (PostgreSQLConnection) -> Void

  private struct Worker: Sendable {
    let queue = DispatchQueue(label: "luna.backend.postgresql")
    let connection: PostgreSQLConnection
  }

  private struct State {
    var ingests: [Ingest] = []
    var works: [Work] = []
    var weight = 0
    var idle: [Int]
  }

  private enum Next {
    case work(Work)
    case ingests([Ingest])
  }

  private let workers: [Worker]
  private let state: Mutex<State>
  private let capacity: Int
  private let batchLimit: Int
  private let ingest: @Sendable ([Ingest], PostgreSQLConnection) -> Void

  init(
    _ settings: String, _ link: PostgreSQLLink, connections: Int, capacity: Int, batchLimit: Int,
    ingest: @escaping @Sendable ([Ingest], PostgreSQLConnection) -> Void
  ) {
    workers = (0..<connections).map { _ in
      Worker(connection: PostgreSQLConnection(settings, link))
    }
    state = Mutex(State(idle: Array(0..<connections)))
    self.capacity = capacity
    self.batchLimit = batchLimit
    self.ingest = ingest
  }

  /// How full the queue is, 0 to 1.
  var load: Double { min(1, Double(state.withLock { $0.weight }) / Double(capacity)) }

  /// Keeps events.
  func keep(_ events: [IdentifiedEvent], at microseconds: Int64) async throws(StorageError)
    -> [IngestResult]
  {
    let hasRoom = state.withLock { state in
      guard state.weight + events.count <= capacity else { return false }
      state.weight += events.count
      return true
    }
    guard hasRoom else {
      throw StorageError(.overloaded, "more is waiting to be written than is allowed")
    }
    defer { state.withLock { $0.weight -= events.count } }
    let result = await withCheckedContinuation { continuation in
      let job = Ingest(events: events, microseconds: microseconds, continuation: continuation)
      wake(
        state.withLock { state in
          state.ingests.append(job)
          return state.idle.popLast()
        })
    }
    return try result.get()
  }

  /// Does something else.
  func run<Output: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    let result: Result<Output, StorageError> = await withCheckedContinuation { continuation in
      wake(
        state.withLock { state in
          state.works.append { connection in
            do throws(StorageError) {
              continuation.resume(returning: .success(try body(connection)))
            } catch {
              continuation.resume(returning: .failure(error))
            }
          }
          return state.idle.popLast()
        })
    }
    return try result.get()
  }

  private func wake(_ index: Int?) {
    guard let index else { return }
    workers[index].queue.async { self.work(index) }
  }

  private func work(_ index: Int) {
    let connection = workers[index].connection
    while let next = next(index) {
      switch next {
      case .work(let work): work(connection)
      case .ingests(let jobs): ingest(jobs, connection)
      }
    }
  }

  /// What a worker does next; without anything it is idle.
  private func next(_ index: Int) -> Next? {
    state.withLock { state in
      if !state.works.isEmpty { return .work(state.works.removeFirst()) }
      guard !state.ingests.isEmpty else {
        state.idle.append(index)
        return nil
      }
      var (count, taken) = (0, 0)
      while taken < state.ingests.count,
        taken == 0 || count + state.ingests[taken].events.count <= batchLimit
      {
        count += state.ingests[taken].events.count
        taken += 1
      }
      defer { state.ingests.removeFirst(taken) }
      return .ingests(Array(state.ingests[..<taken]))
    }
  }
}
