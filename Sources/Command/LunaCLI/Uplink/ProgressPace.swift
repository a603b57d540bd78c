import Synchronization

/// Lets no more progress be told than somebody can follow: four times a second.
final class ProgressPace: Sendable {
  private static let pause = Duration.milliseconds(250)

  private let last = Mutex<ContinuousClock.Instant?>(nil)

  /// Whether it is time to tell something again.
  func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
    last.withLock { last in
      if let last, last.duration(to: now) < ProgressPace.pause { return false }
      last = now
      return true
    }
  }
}
