public import Bluetooth
import Glibc
import Synchronization

/// A radio path without a radio: a ``VirtualRoom`` in real time, marked as simulated.
public final class VirtualRadioSource: AdvertisementSource {
  /// Reports in a batch at most, when the consumer is behind.
  static let batchCount = 256

  struct State {
    var room: VirtualRoom?
    var ticker: Ticker?
    var counters = SourceCounters()
    var isStopped = false
    /// What a waiting `nextBatch` waits for.
    var sleeper: Task<Void, Never>?
  }

  private enum Step {
    case batch([AdvertisingReport])
    case wait(Task<Void, Never>)
    case end
  }

  private let seed: UInt64
  private let isActive: Bool
  private let startTime: Timestamp?
  private let makeGuests: @Sendable (Timestamp) -> [any VirtualAdvertiser]
  private let makeTicker: @Sendable () -> Ticker
  let state = Mutex(State())

  /// What the source is doing: a room has nothing to recover from.
  public let states: AsyncStream<SourceState>
  private let statesContinuation: AsyncStream<SourceState>.Continuation

  /// A room that opens at ``start()``.
  ///
  /// - Parameters:
  ///   - seed: What chance decides: the same seed gives the same room.
  ///   - isActive: Whether to ask for scan responses.
  ///   - startTime: The time at which the room opens; nil for the present.
  ///   - clock: What it waits by.
  ///   - guests: Makes who else is there; called at ``start()`` with the time at which the room opens.
  public init(
    seed: UInt64, isActive: Bool = true, startTime: Timestamp? = nil,
    clock: some Clock<Duration> = ContinuousClock(),
    guests: @escaping @Sendable (Timestamp) -> [any VirtualAdvertiser] = { _ in [] }
  ) {
    self.seed = seed
    self.isActive = isActive
    self.startTime = startTime
    makeGuests = guests
    makeTicker = { Ticker(clock) }
    (states, statesContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// The room and its seed.
  public var description: SourceDescription {
    let count = state.withLock { $0.room?.count }
    return SourceDescription(
      name: "virtual:\(seed)", simulated: true,
      explanation: "a simulated room\(count.map { " with \($0) advertisers" } ?? ""), seed \(seed)")
  }

  /// What was heard so far.
  public var counters: SourceCounters { state.withLock { $0.counters } }

  /// Opens the room; never fails.
  public func start() async throws(SourceError) {
    statesContinuation.yield(.starting)
    let start = startTime ?? VirtualRadioSource.now()
    let room = VirtualRoom(seed: seed, start: start, isActive: isActive, guests: makeGuests(start))
    state.withLock { state in
      state.room = room
      state.ticker = makeTicker()
    }
    statesContinuation.yield(.scanning)
  }

  /// The reports that are due, once there are any; nil after ``stop()``.
  public func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    while !Task.isCancelled {
      switch state.withLock({ step(&$0) }) {
      case .batch(let reports): return reports
      case .end: return nil
      case .wait(let sleeper):
        await withTaskCancellationHandler {
          await sleeper.value
        } onCancel: {
          sleeper.cancel()
        }
      }
    }
    return nil
  }

  private func step(_ state: inout State) -> Step {
    guard !state.isStopped, let ticker = state.ticker, var room = state.room else { return .end }
    let elapsed = ticker.elapsed().components
    let now = elapsed.seconds &* 1_000_000 &+ elapsed.attoseconds / 1_000_000_000_000
    var reports: [AdvertisingReport] = []
    while room.due <= now, reports.count < VirtualRadioSource.batchCount {
      if let report = room.step() { reports.append(report) }
    }
    state.room = room
    guard reports.isEmpty else {
      state.counters.packets &+= UInt64(reports.count)
      state.counters.reports &+= UInt64(reports.count)
      return .batch(reports)
    }
    let due = Duration.microseconds(room.due)
    let sleeper = Task { _ = try? await ticker.sleep(due) }
    state.sleeper = sleeper
    return .wait(sleeper)
  }

  /// Leaves the room.
  public func stop() async {
    state.withLock { state in
      state.isStopped = true
      state.sleeper?.cancel()
    }
    statesContinuation.finish()
  }

  private static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
