public import Bluetooth
import Glibc

/// The clocks of a machine, so that a test can have others: the time of day, which may be set at any
/// moment, and one that only goes on.
public struct WallClock: Sendable {
  /// The time of day.
  public let now: @Sendable () -> Timestamp
  /// Time that has passed since some moment.
  public let elapsed: @Sendable () -> Duration
  /// Waits.
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
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(
          microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
      }, elapsed: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) })
  }()
}
