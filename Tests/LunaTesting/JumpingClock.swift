import Synchronization

/// A clock on which waiting takes no time: it jumps to the moment that is waited for.
public final class JumpingClock: Clock {
  /// Those of the clock that does not jump.
  public typealias Instant = ContinuousClock.Instant

  private let time = Mutex(ContinuousClock.now)

  /// A clock that shows the present.
  public init() {}

  /// Where it has jumped to.
  public var now: Instant { time.withLock { $0 } }

  /// None.
  public var minimumResolution: Duration { .zero }

  /// Jumps.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    time.withLock { $0 = max($0, deadline) }
  }
}
