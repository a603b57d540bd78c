import Dispatch
import EventLoop
import Synchronization

/// Some connections, each with a thread. Batches of events that wait are put into one statement.
final class PostgreSQLPool: Sendable {
  /// A batch that waits.
  struct Ingest: Sendable {
    let events: [IdentifiedEvent]
    let microseconds: Int64
    /// Until when somebody waits for it.
    let end: ContinuousClock.Instant?
    let continuation: CheckedContinuation<Result<[IngestResult], StorageError>, Never>
  }

  /// Something else that waits.
  private struct Work: Sendable {
    let end: ContinuousClock.Instant?
    /// Without a connection it is too late for it.
    let run: @Sendable (PostgreSQLConnection?) -> Void
  }

  /// How often it is looked whether somebody waits in vain, ms.
  private static let sweepPause = 500

  private struct Worker: Sendable {
    let thread = Blocking(name: "luna.backend.postgresql")
    let connection: PostgreSQLConnection
  }

  private struct State: Sendable {
    var ingests: [Ingest] = []
    var works: [Work] = []
    var weight = 0
    var idle: [Int]
    /// Whether it will be looked who waits in vain.
    var isSwept = false
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
    let (patience, began) = (StoragePatience.current, ContinuousClock.now)
    defer {
      state.withLock { $0.weight -= events.count }
      patience?.spend(since: began)
    }
    let result = await withCheckedContinuation { continuation in
      let job = Ingest(
        events: events, microseconds: microseconds, end: patience?.end, continuation: continuation)
      wake { $0.ingests.append(job) }
    }
    return try result.get()
  }

  /// Does something else.
  func run<Output: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    let (patience, began) = (StoragePatience.current, ContinuousClock.now)
    defer { patience?.spend(since: began) }
    let result: Result<Output, StorageError> = await withCheckedContinuation { continuation in
      let work = Work(end: patience?.end) { connection in
        do throws(StorageError) {
          guard let connection else { throw .late }
          continuation.resume(returning: .success(try body(connection)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      wake { $0.works.append(work) }
    }
    return try result.get()
  }

  /// Has something that is added done by whoever has nothing to do.
  private func wake(_ add: (inout State) -> Void) {
    let (index, mustSweep) = state.withLock { state in
      add(&state)
      let index = state.idle.popLast()
      let mustSweep = index == nil && !state.isSwept
      if mustSweep { state.isSwept = true }
      return (index, mustSweep)
    }
    if let index { workers[index].thread.start { self.work(index) } }
    if mustSweep { sweepLater() }
  }

  private func sweepLater() {
    DispatchQueue.global().asyncAfter(
      deadline: .now() + .milliseconds(PostgreSQLPool.sweepPause)
    ) { self.sweep() }
  }

  /// Tells those who wait in vain, while all connections are busy.
  private func sweep() {
    let (works, ingests, isAgain) = state.withLock { state in
      let now = ContinuousClock.now
      let works = state.works.filter { $0.end.isOver(at: now) }
      let ingests = state.ingests.filter { $0.end.isOver(at: now) }
      state.works.removeAll { $0.end.isOver(at: now) }
      state.ingests.removeAll { $0.end.isOver(at: now) }
      state.isSwept = !state.works.isEmpty || !state.ingests.isEmpty
      return (works, ingests, state.isSwept)
    }
    for work in works { work.run(nil) }
    for job in ingests { job.continuation.resume(returning: .failure(.late)) }
    if isAgain { sweepLater() }
  }

  private func work(_ index: Int) {
    let connection = workers[index].connection
    while let next = next(index) {
      switch next {
      case .work(let work):
        connection.end = work.end
        work.run(work.end.isOver() ? nil : connection)
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
