import Synchronization

/// Lets no more progress be told than somebody can follow: four times a second, or as often as is asked for.
final class ProgressPace: Sendable {
  private let pause: Duration
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  init(_ pause: Duration = .milliseconds(250)) { self.pause = pause }

  /// Whether it is time to tell something again.
  func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
    last.withLock { last in
      if let last, last.duration(to: now) < pause { return false }
      last = now
      return true
    }
  }
}
