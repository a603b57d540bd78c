/// How long to wait after failures in a row: a random time from nothing to a limit that doubles
/// (full jitter), so that many clients do not come back at once; at least as long as the other side
/// asks for.
public struct BackOff: Hashable, Sendable {
  /// The limit after the first failure.
  public var base: Duration
  /// The limit is never above this.
  public var cap: Duration
  /// The longest time that the other side may ask for.
  public var longestRequest: Duration

  /// The failures since the last success.
  public private(set) var failures = 0

  /// Whether the last wait was asked for by the other side.
  public private(set) var isAsked = false

  /// Nothing has failed yet.
  public init(
    base: Duration = .seconds(1), cap: Duration = .seconds(300),
    longestRequest: Duration = .seconds(3600)
  ) {
    self.base = base
    self.cap = cap
    self.longestRequest = longestRequest
  }

  /// Something failed.
  ///
  /// - Parameter retryAfter: how long the other side wants to be left alone; the random time comes on
  ///   top, at most ``base``.
  /// - Returns: how long to wait.
  public mutating func failed(
    retryAfter: Duration? = nil, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    // Beyond 30 doublings every cap is reached.
    let limit = min(cap, base * (1 << min(failures, 30)))
    failures = min(failures + 1, 1_000_000)
    let share = Double.random(in: 0...1, using: &generator)
    isAsked = false
    guard let retryAfter, retryAfter > .zero else { return limit * share }
    isAsked = true
    return min(retryAfter, longestRequest) + base * share
  }

  /// Something succeeded.
  public mutating func succeeded() {
    failures = 0
    isAsked = false
  }
}
