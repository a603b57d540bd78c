import Synchronization

/// A bucket for each holder of a token, or each client.
package final class RateLimiter<Holder: Hashable & Sendable>: Sendable {
  /// Holders that are remembered.
  private static var capacity: Int { 65_536 }

  private let rate: Double
  private let burst: Double
  private let buckets = Mutex<[Holder: TokenBucket]>([:])

  /// - Parameters:
  ///   - rate: what is allowed in a second; 0 for any number.
  ///   - burst: how many seconds' worth may come at once.
  package init(rate: Int, burst: Double) {
    self.rate = Double(rate)
    self.burst = Double(rate) * burst
  }

  /// - Parameter count: what is allowed in a minute, all of which may come at once.
  package init(perMinute count: Int) {
    rate = Double(count) / 60
    burst = Double(count)
  }

  /// Takes something for a holder; returns after how many seconds it may try again when there is too
  /// little.
  package func take(
    _ amount: Int, for holder: Holder, at now: ContinuousClock.Instant = .now
  ) -> Int? {
    guard rate > 0 else { return nil }
    return buckets.withLock { buckets in
      if buckets.count >= RateLimiter.capacity, buckets[holder] == nil { buckets.removeAll() }
      return buckets[
        holder, default: TokenBucket(rate: rate, capacity: max(1, burst), at: now)
      ].take(Double(amount), at: now)
    }
  }

  /// Takes more of what was begun with ``take(_:for:at:)``, whether it is there or not.
  package func owe(_ amount: Int, by holder: Holder) {
    guard rate > 0, amount > 0 else { return }
    buckets.withLock { $0[holder]?.owe(Double(amount)) }
  }
}
