import LunaTesting
import Synchronization

/// A clock that jumps to the moment that is waited for, until it is halted: who waits then waits for something else.
final class HaltingClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private struct State {
    var now = ContinuousClock.now
    var isHalted = false
  }

  private let state = Mutex(State())
  /// How often somebody has begun to wait; since it was halted, if it is.
  let sleepers = Watched(0)

  var now: Instant { state.withLock(\.now) }

  var minimumResolution: Duration { .zero }

  /// Stands from now on.
  func halt() {
    state.withLock { $0.isHalted = true }
    sleepers.withLock { $0 = 0 }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let isHalted = state.withLock { state in
      if !state.isHalted { state.now = max(state.now, deadline) }
      return state.isHalted
    }
    sleepers.withLock { $0 += 1 }
    guard isHalted else { return }
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    continuation.finish()
    throw CancellationError()
  }
}
