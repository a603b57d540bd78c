public import Bluetooth
import CLinux
package import EventLoop
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
    var rhythm = ScanRhythm.steady
    /// When the rhythm was begun.
    var rhythmBegan = Duration.zero
    /// Ended when a pause is over; nil without one.
    var pause: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)?
  }

  private enum Step: Sendable {
    case batch([AdvertisingReport])
    case wait(Task<Void, Never>)
    case end
  }

  private let seed: UInt64
  private let isActive: Bool
  private let startTime: Timestamp?
  private let makeGuests: @Sendable (Timestamp) -> [any VirtualAdvertiser]
  private let makeTicker: @Sendable () -> Ticker
  private let blocking: Blocking?
  let state = Mutex(State())
  /// Held by who goes on in the room.
  private let stepping = Mutex(())

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
  public convenience init(
    seed: UInt64, isActive: Bool = true, startTime: Timestamp? = nil,
    clock: some Clock<Duration> = ContinuousClock(),
    guests: @escaping @Sendable (Timestamp) -> [any VirtualAdvertiser] = { _ in [] }
  ) {
    self.init(
      seed: seed, isActive: isActive, startTime: startTime, clock: clock, blocking: nil,
      guests: guests)
  }

  /// - Parameter blocking: where guests are asked who may have to wait, for a disk; nil where none
  ///   has to.
  package init(
    seed: UInt64, isActive: Bool, startTime: Timestamp?, clock: some Clock<Duration>,
    blocking: Blocking?, guests: @escaping @Sendable (Timestamp) -> [any VirtualAdvertiser]
  ) {
    self.blocking = blocking
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
    let room = await ask { [seed, isActive, makeGuests] in
      VirtualRoom(seed: seed, start: start, isActive: isActive, guests: makeGuests(start))
    }
    state.withLock { state in
      state.room = room
      state.ticker = makeTicker()
    }
    statesContinuation.yield(state.withLock { $0.rhythm } == .paused ? .paused : .scanning)
  }

  /// The reports that are due, once there are any; nil after ``stop()``.
  public func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    while !Task.isCancelled {
      switch await ask({ self.step() }) {
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

  private func ask<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) async -> Answer {
    if let blocking { await blocking.run(body) } else { body() }
  }

  /// Goes on to the present. Who looks at the room meanwhile sees it as it was, and does not wait.
  private func step() -> Step {
    stepping.withLock { _ in
      let before = state.withLock(\.self)
      guard !before.isStopped, let ticker = before.ticker, var room = before.room else {
        return .end
      }
      if let pause = before.pause {
        let sleeper = Task { for await _ in pause.stream {} }
        state.withLock { $0.sleeper = sleeper }
        return .wait(sleeper)
      }
      let now = ticker.elapsed().wholeMicroseconds
      var reports: [AdvertisingReport] = []
      while room.due <= now, reports.count < VirtualRadioSource.batchCount {
        let due = Duration.microseconds(room.due) - before.rhythmBegan
        guard let report = room.step(), before.rhythm.isListening(after: due) else { continue }
        reports.append(report)
      }
      return state.withLock { [room, reports] state in
        state.room = room
        guard reports.isEmpty else {
          state.counters.packets &+= UInt64(reports.count)
          state.counters.reports &+= UInt64(reports.count)
          return .batch(reports)
        }
        guard !state.isStopped else { return .end }
        let due = Duration.microseconds(room.due)
        let sleeper = Task { _ = try? await ticker.sleep(due) }
        state.sleeper = sleeper
        return .wait(sleeper)
      }
    }
  }

  /// Listens in this rhythm; the room goes on. What was due and not taken before a pause is not heard.
  public func listen(_ rhythm: ScanRhythm) async {
    guard let isPaused = await ask({ self.change(to: rhythm) }) else { return }
    statesContinuation.yield(isPaused ? .paused : .scanning)
  }

  /// - Returns: whether it pauses now; nil where that is nothing to tell.
  private func change(to rhythm: ScanRhythm) -> Bool? {
    stepping.withLock { _ in
      let before = state.withLock(\.self)
      guard !before.isStopped, rhythm != before.rhythm else { return nil }
      var passed = before.room
      if before.rhythm == .paused, let ticker = before.ticker, var room = before.room {
        // What was on the air during a pause is over.
        let now = ticker.elapsed().wholeMicroseconds
        while room.due <= now { _ = room.step() }
        passed = room
      }
      return state.withLock { [passed] state in
        state.room = passed
        state.rhythm = rhythm
        state.rhythmBegan = state.ticker?.elapsed() ?? .zero
        state.pause?.continuation.finish()
        state.pause = rhythm == .paused ? AsyncStream.makeStream(of: Void.self) : nil
        // Whoever waits for a report waits for the next one in this rhythm.
        state.sleeper?.cancel()
        return state.ticker == nil ? nil : rhythm == .paused
      }
    }
  }

  /// Leaves the room.
  public func stop() async {
    state.withLock { state in
      state.isStopped = true
      state.sleeper?.cancel()
      state.pause?.continuation.finish()
    }
    statesContinuation.finish()
  }

  private static func now() -> Timestamp {
    Timestamp(microseconds: luna_now())
  }
}
