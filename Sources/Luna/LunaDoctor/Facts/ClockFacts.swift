import Bluetooth

/// What is known of the clock.
struct ClockFacts: Hashable, Sendable {
  var now: Timestamp
  /// Whether somebody keeps it right; nil when the kernel does not tell.
  var isSynchronised: Bool?
  /// How far the backend's clock is ahead, s; nil when it was not asked, or did not tell.
  var secondsAhead: Int64?
}
