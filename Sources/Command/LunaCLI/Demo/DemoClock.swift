import Bluetooth
import LunaCore

/// The time of the demonstration: it goes several times faster than that of the machine, for all who
/// take part alike, so that every period and every limit is what it is for real.
struct DemoClock: Clock {
  struct Instant: InstantProtocol {
    /// Since the beginning, in the time of the demonstration.
    let elapsed: Duration

    func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  /// How many times faster it goes.
  let speed: Int
  /// What time it is there at the beginning.
  let start: Timestamp
  private let began = ContinuousClock.now

  init(speed: Int, start: Timestamp) {
    self.speed = speed
    self.start = start
  }

  var minimumResolution: Duration { .microseconds(speed) }

  var now: Instant { Instant(elapsed: began.duration(to: .now) * speed) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await ContinuousClock().sleep(
      until: began + deadline.elapsed / speed, tolerance: tolerance.map { $0 / speed })
  }

  /// What time it is.
  var time: Timestamp { time(at: now) }

  /// What time it is at a moment.
  func time(at moment: Instant) -> Timestamp {
    start.advanced(by: moment.elapsed)
  }

  /// The same for those who want clocks of this kind.
  var wall: WallClock {
    WallClock(
      now: { time }, elapsed: { now.elapsed }, sleep: { try await Task.sleep(for: $0 / speed) })
  }
}
