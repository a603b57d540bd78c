import Synchronization

/// A clock whose time passes when somebody waits, at once, and that lets a world go on up to each
/// moment. With one task that waits, everything happens in the same order whenever it is run.
final class DrivingClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private struct State {
    var now = ContinuousClock.now
    var onAdvance: @Sendable (Instant) -> Void = { _ in }
  }

  private let state = Mutex(State())
  /// When the time began.
  let start: Instant

  init() { start = state.withLock(\.now) }

  var now: Instant { state.withLock(\.now) }

  var elapsed: Duration { start.duration(to: now) }

  var minimumResolution: Duration { .zero }

  /// Called with each moment that comes, in order.
  func drive(_ body: @escaping @Sendable (Instant) -> Void) {
    state.withLock { $0.onAdvance = body }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    // In small steps, so that what the world does happens at its time.
    while now < deadline {
      // Who was woken by what the world did waits no more.
      try Task.checkCancellation()
      let (moment, body) = state.withLock { state in
        state.now = min(deadline, state.now.advanced(by: .milliseconds(10)))
        return (state.now, state.onAdvance)
      }
      body(moment)
    }
  }
}
