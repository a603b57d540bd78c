import Synchronization

/// A clock on which waiting takes no time: it jumps to the moment that is waited for.
final class JumpingClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let time = Mutex(ContinuousClock.now)

  var now: Instant { time.withLock { $0 } }

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    time.withLock { $0 = max($0, deadline) }
  }
}
