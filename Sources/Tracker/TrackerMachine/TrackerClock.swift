import LunaProtocol

/// The clock T of a tracker: it runs with the time since power-on, at its own rate.
public struct TrackerClock: Hashable, Sendable {
  /// How much faster than the time since power-on it is meant to run; above 1 in simulations only.
  public let speed: Int64
  /// How wrong its oscillator is, parts per million.
  public let drift: Int64
  private var anchor: Int64
  private var base: Int64

  /// The largest magnitude of ``drift``, ppm.
  public static let maximumDrift: Int64 = 100_000
  /// The longest wait that ``uptime(reaching:)`` looks ahead, ms of the clock: a century.
  private static let horizon: Int64 = 3_155_760_000_000

  /// A clock that shows `time` (ms) at `uptime` (ms). Speed and drift are brought into their ranges.
  public init(time: Int64, at uptime: Int64, speed: Int64 = 1, drift: Int64 = 0) {
    self.speed = min(max(speed, 1), ProtocolTime.maximumSpeed)
    self.drift = min(max(drift, -TrackerClock.maximumDrift), TrackerClock.maximumDrift)
    anchor = uptime
    base = time
  }

  /// What the clock shows, ms.
  ///
  /// - Parameter uptime: the time since power-on, ms.
  public func time(at uptime: Int64) -> Int64 {
    let passed = (uptime &- anchor) &* speed
    // In two parts: years of microseconds times a speed do not fit.
    let error = passed / 1_000_000 &* drift &+ passed % 1_000_000 &* drift / 1_000_000
    return base &+ passed &+ error
  }

  /// The first millisecond since power-on at which the clock shows `time` or more.
  public func uptime(reaching time: Int64) -> Int64 {
    let (difference, overflow) = time.subtractingReportingOverflow(base)
    let wanted = overflow ? TrackerClock.horizon : min(max(difference, 0), TrackerClock.horizon)
    let estimate = wanted / (1_000_000 + drift) * 1_000_000 / speed
    var uptime = anchor &+ max(0, estimate &- 2)
    // The divisions above lose less than 1,000 s; each step closes all of what is left but rounding.
    while self.time(at: uptime) < base &+ wanted {
      let missing = base &+ wanted &- self.time(at: uptime)
      uptime &+= max(1, missing / (speed * 2))
    }
    return uptime
  }

  /// The same oscillator, set to another time.
  public func set(to time: Int64, at uptime: Int64) -> TrackerClock {
    TrackerClock(time: time, at: uptime, speed: speed, drift: drift)
  }
}
