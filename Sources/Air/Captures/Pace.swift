import Bluetooth

/// When reports are due that are replayed at the pace of their recording.
struct Pace: Sendable {
  private let speed: Double
  private var start: (time: Timestamp, moment: ContinuousClock.Instant)?

  /// Replays `speed` times faster than it was recorded.
  init(speed: Double) { self.speed = speed }

  /// When a report of `time` is due; the first one asked for is due at once.
  mutating func due(
    _ time: Timestamp, now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant {
    guard time != .unknown else { return now }
    guard let start else {
      start = (time, now)
      return now
    }
    let microseconds = Double(time.microseconds) - Double(start.time.microseconds)
    return start.moment + .microseconds(min(max(0, microseconds / speed), 1e15))
  }
}
