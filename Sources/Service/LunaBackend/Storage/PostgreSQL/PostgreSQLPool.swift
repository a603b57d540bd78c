import Dispatch
import EventLoop
import Synchronization

/// Some connections, each with a thread. Batches of events that wait are put into one statement. What may take long never
/// has all of them, and events have their turn, however much else there is to do.
final class PostgreSQLPool: Sendable {
  /// A batch that waits.
  struct Ingest: Sendable {
    let events: [IdentifiedEvent]
    let microseconds: Int64
    /// Until when somebody waits for it.
    let end: ContinuousClock.Instant?
    let continuation: CheckedContinuation<Result<[IngestResult], StorageError>, Never>
  }

  /// What else there is to do.
  enum Lane: Sendable {
    /// A few rows.
    case quick
    /// A change before and after which there are no others, in whatever process: a second one would only wait for the
    /// first, and keep a connection from everybody else.
    case serial
    /// What people look for, which may be as much as there is.
    case long

    /// How many connections may do it at once.
    fileprivate func share(of connections: Int) -> Int {
      switch self {
      case .quick: connections
      case .serial: 1
      case .long: max(1, connections - 1)
      }
    }
  }

  /// Something else that waits.
  private struct Work: Sendable {
    let lane: Lane
    let end: ContinuousClock.Instant?
    /// Without a connection it is too late for it.
    let run: @Sendable (PostgreSQLConnection?) -> Void
  }

  /// How often it is looked whether somebody waits in vain, ms.
  private static let sweepPause = 500
  /// How much else may wait.
  static let limit = 4096
  /// How much of that may be such that takes long.
  static let longLimit = 256
  /// So much else is done at most before it is the turn of events that wait. Some more of them come together meanwhile,
  /// and are written by one statement.
  static let mostInRow = 32

  private struct Worker: Sendable {
    let thread = Blocking(name: "luna.backend.postgresql")
    let connection: PostgreSQLConnection
  }

  private struct State: Sendable {
    var ingests: [Ingest] = []
    var works: [Work] = []
    var running: [Lane: Int] = [:]
    /// How much else was done since it was the turn of events.
    var inRow = 0
    var weight = 0
    var idle: [Int]
    /// Whether it will be looked who waits in vain.
    var isSwept = false

    func hasRoom(for lane: Lane) -> Bool {
      works.count < PostgreSQLPool.limit
        && (lane != .long || works.count { $0.lane == .long } < PostgreSQLPool.longLimit)
    }

    /// What is done next; nil for events.
    mutating func nextWork(of connections: Int) -> Work? {
      guard ingests.isEmpty || inRow < PostgreSQLPool.mostInRow,
        let index = works.firstIndex(where: {
          running[$0.lane, default: 0] < $0.lane.share(of: connections)
        })
      else { return nil }
      let work = works.remove(at: index)
      running[work.lane, default: 0] += 1
      // After something long, events do not wait for another one.
      inRow = work.lane == .long ? PostgreSQLPool.mostInRow : ingests.isEmpty ? 0 : inRow + 1
      return work
    }
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

  /// How many wait for a connection.
  var waiting: Int { state.withLock { $0.works.count + $0.ingests.count } }

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
      wake(.quick) { $0.ingests.append(job) }
    }
    return try result.get()
  }

  /// Does something else.
  ///
  /// - Throws: `overloaded` when too much of it waits.
  func run<Output: Sendable>(
    _ lane: Lane = .quick,
    _ body: @escaping @Sendable (PostgreSQLConnection) throws(StorageError) -> Output
  ) async throws(StorageError) -> Output {
    guard state.withLock({ $0.hasRoom(for: lane) }) else {
      throw StorageError(.overloaded, "more is waiting for the database than is allowed")
    }
    let (patience, began) = (StoragePatience.current, ContinuousClock.now)
    defer { patience?.spend(since: began) }
    let result: Result<Output, StorageError> = await withCheckedContinuation { continuation in
      let work = Work(lane: lane, end: patience?.end) { connection in
        do throws(StorageError) {
          guard let connection else { throw .late }
          continuation.resume(returning: .success(try body(connection)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      wake(lane) { $0.works.append(work) }
    }
    return try result.get()
  }

  /// Has something that is added done by whoever has nothing to do.
  private func wake(_ lane: Lane, _ add: (inout State) -> Void) {
    let (index, mustSweep) = state.withLock { state in
      add(&state)
      let index = state.idle.popLast()
      // Whoever has nothing to do may not do all of it.
      let mustSweep = (index == nil || lane != .quick) && !state.isSwept
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
    var lane: Lane?
    while let next = next(index, after: lane) {
      lane = nil
      switch next {
      case .work(let work):
        lane = work.lane
        connection.end = work.end
        work.run(work.end.isOver() ? nil : connection)
      case .ingests(let jobs): ingest(jobs, connection)
      }
    }
  }

  /// What a worker does next; without anything it is idle.
  private func next(_ index: Int, after lane: Lane?) -> Next? {
    state.withLock { state in
      if let lane { state.running[lane, default: 1] -= 1 }
      if let work = state.nextWork(of: workers.count) { return .work(work) }
      guard !state.ingests.isEmpty else {
        state.idle.append(index)
        return nil
      }
      state.inRow = 0
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
