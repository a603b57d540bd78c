import Synchronization

/// A bucket for each holder of a token.
final class RateLimiter: Sendable {
  /// Holders that are remembered; there are as many as somebody made tokens for.
  private static let capacity = 65_536

  private let rate: Double
  private let burst: Double
  private let buckets = Mutex<[String: TokenBucket]>([:])

  /// - Parameters:
  ///   - rate: what is allowed in a second; 0 for any number.
  ///   - burst: how many seconds' worth may come at once.
  init(rate: Int, burst: Double) {
    self.rate = Double(rate)
    self.burst = Double(rate) * burst
  }

  /// Takes something for a holder; returns after how many seconds it may try again when there is too
  /// little.
  func take(
    _ amount: Int, for holder: String, at now: ContinuousClock.Instant = .now
  ) -> Int? {
    guard rate > 0 else { return nil }
    return buckets.withLock { buckets in
      if buckets.count >= RateLimiter.capacity, buckets[holder] == nil { buckets.removeAll() }
      return buckets[
        holder, default: TokenBucket(rate: rate, capacity: max(1, burst), at: now)
      ].take(Double(amount), at: now)
    }
  }
}
