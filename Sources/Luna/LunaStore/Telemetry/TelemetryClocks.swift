package import Bluetooth
import Glibc
package import LunaCore

/// The clocks by which telemetry is dated, so that a test can have others.
package struct TelemetryClocks: Sendable {
  /// The time of day, which may be set at any moment.
  package var now: @Sendable () -> Timestamp
  /// Time that has passed since the machine was started, in sleep as well.
  package var sinceBoot: @Sendable () -> Duration
  /// Time that has passed while the machine did not sleep.
  package var awake: @Sendable () -> Duration
  /// Names the start of the machine.
  package var boot: @Sendable () -> String

  /// Clocks of one's own.
  package init(
    now: @escaping @Sendable () -> Timestamp, sinceBoot: @escaping @Sendable () -> Duration,
    awake: @escaping @Sendable () -> Duration, boot: @escaping @Sendable () -> String
  ) {
    self.now = now
    self.sinceBoot = sinceBoot
    self.awake = awake
    self.boot = boot
  }

  /// Those of the system.
  package static let system = TelemetryClocks(
    now: WallClock.system.now, sinceBoot: { read(CLOCK_BOOTTIME) },
    awake: { read(CLOCK_MONOTONIC) }, boot: { BootID.text })

  /// When something happens that happens now.
  package var time: TelemetryTime {
    let now = now()
    guard !LocationRules.isPlausible(now) else { return .known(now) }
    return .sinceBoot(sinceBoot(), boot: boot())
  }

  private static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
