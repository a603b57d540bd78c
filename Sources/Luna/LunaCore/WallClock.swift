public import Bluetooth
import CLinux

/// The clocks of a machine, so that a test can have others: the time of day, which may be set at any
/// moment, and one that only goes on.
public struct WallClock: Sendable {
  /// The time of day.
  public let now: @Sendable () -> Timestamp
  /// Time that has passed since some moment.
  public let elapsed: @Sendable () -> Duration
  /// Waits so long.
  ///
  /// - Throws: `CancellationError` once the task is cancelled.
  public let sleep: @Sendable (Duration) async throws -> Void

  /// Clocks of one's own.
  public init(
    now: @escaping @Sendable () -> Timestamp, elapsed: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.elapsed = elapsed
    self.sleep = sleep
  }

  /// Those of the system.
  public static let system: WallClock = {
    let start = ContinuousClock.now
    return WallClock(
      now: {
        Timestamp(microseconds: luna_now())
      }, elapsed: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) })
  }()
}
