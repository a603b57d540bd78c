import Bluetooth

/// How long to wait before the next attempt: exponential with full jitter, so that gateways that
/// lost the same backend do not come back all at once.
package struct BackOff: Hashable, Sendable {
  /// The longest wait after the first failure.
  package let base: Duration
  /// The longest wait at all.
  package let cap: Duration
  /// How many attempts failed in a row.
  package private(set) var failures = 0

  /// - Parameters:
  ///   - base: the longest wait after the first failure; it doubles with each further one.
  ///   - cap: the longest wait at all.
  package init(base: Duration = .seconds(1), cap: Duration = .seconds(300)) {
    self.base = base
    self.cap = cap
  }

  /// Notes a success.
  package mutating func succeed() { failures = 0 }

  /// Notes a failure.
  ///
  /// - Parameter retryAfter: what the other side asked for, s; waited for at least, up to an hour,
  ///   with the jitter on top.
  /// - Returns: how long to wait.
  package mutating func fail(
    retryAfter: Int? = nil, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    // Beyond 2^30 every base has reached every cap.
    let longest = min(cap, base * (1 << min(failures, 30)))
    failures += 1
    let wait = Duration.milliseconds(
      Int64.random(in: 0...max(0, longest.wholeMilliseconds), using: &generator))
    guard let retryAfter else { return wait }
    return .seconds(min(max(0, retryAfter), 3600)) + wait
  }
}
