import Synchronization

/// When something was last heard, or told of the silence.
final class LifeSigns: Sendable {
  private let last = Mutex(ContinuousClock.now)

  /// It was just now.
  func sign() { last.withLock { $0 = .now } }

  /// How long ago it was.
  var silence: Duration { last.withLock { $0 }.duration(to: .now) }
}
