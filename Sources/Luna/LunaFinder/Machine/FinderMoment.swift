import Bluetooth

/// A moment by both clocks: one that only goes on, and the time of day, which may be set.
struct FinderMoment: Hashable, Sendable {
  var elapsed: Duration
  var now: Timestamp
}
