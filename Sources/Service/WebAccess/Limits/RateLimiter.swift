import Synchronization

/// A bucket for each holder of a token, or each client.
package final class RateLimiter<Holder: Hashable & Sendable>: Sendable {
  /// Holders that are remembered.
  private static var capacity: Int { 65_536 }

  private struct State {
    var rate: Double
    var burst: Double
    var buckets: [Holder: TokenBucket] = [:]
  }

  private let state: Mutex<State>
  private let processes: Double

  /// - Parameters:
  ///   - rate: what is allowed in a second; 0 for any number.
  ///   - burst: how many seconds' worth may come at once.
  ///   - processes: with how many like this one that is shared, whichever of them a holder asks. At least one may
  ///     come at once.
  package init(rate: Int, burst: Double, of processes: Int = 1) {
    self.processes = Double(processes)
    let rate = Double(rate) / Double(processes)
    state = Mutex(State(rate: rate, burst: rate * burst))
  }

  /// - Parameters:
  ///   - count: what is allowed in a minute, all of which may come at once.
  ///   - processes: as above.
  package init(perMinute count: Int, of processes: Int = 1) {
    self.processes = Double(processes)
    let count = Double(count) / Double(processes)
    state = Mutex(State(rate: count / 60, burst: count))
  }

  /// Allows another number from now on, of which all holders have the whole burst.
  package func change(rate: Int, burst: Double) {
    let rate = Double(rate) / processes
    state.withLock { $0 = State(rate: rate, burst: rate * burst) }
  }

  /// Takes something for a holder; returns after how many seconds it may try again when there is too
  /// little.
  package func take(
    _ amount: Int, for holder: Holder, at now: ContinuousClock.Instant = .now
  ) -> Int? {
    state.withLock { state in
      guard state.rate > 0 else { return nil }
      if state.buckets.count >= RateLimiter.capacity, state.buckets[holder] == nil {
        state.buckets.removeAll()
      }
      let full = TokenBucket(rate: state.rate, capacity: max(1, state.burst), at: now)
      return state.buckets[holder, default: full].take(Double(amount), at: now)
    }
  }

  /// Takes more of what was begun with ``take(_:for:at:)``, whether it is there or not.
  package func owe(_ amount: Int, by holder: Holder) {
    guard amount > 0 else { return }
    state.withLock { $0.buckets[holder]?.owe(Double(amount)) }
  }
}
