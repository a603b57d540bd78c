import Bluetooth

/// A moment by both clocks: one that only goes on, and the time of day, which may be set.
struct FinderMoment: Hashable, Sendable {
  var elapsed: Duration
  var now: Timestamp

  /// An earlier moment, its time of day counted back: the clock may have been set since.
  func back(to elapsed: Duration) -> FinderMoment {
    let passed = (self.elapsed - elapsed).wholeMicroseconds
    return FinderMoment(
      elapsed: elapsed, now: Timestamp(microseconds: now.microseconds &- passed))
  }
}
