/// How much of something may be used now: a bucket that fills steadily.
package struct TokenBucket: Sendable {
  /// What flows in, in a second.
  let rate: Double
  /// What fits.
  let capacity: Double
  private var level: Double
  private var time: ContinuousClock.Instant

  package init(rate: Double, capacity: Double, at time: ContinuousClock.Instant) {
    self.rate = rate
    self.capacity = capacity
    level = capacity
    self.time = time
  }

  /// Takes some out.
  ///
  /// - Returns: nil when there was enough, otherwise after how many seconds there will be. What is
  ///   more than the capacity is let through when the bucket is full, and paid for afterwards.
  package mutating func take(_ amount: Double, at now: ContinuousClock.Instant) -> Int? {
    let elapsed = time.duration(to: now) / .seconds(1)
    level = min(capacity, level + max(0, elapsed) * rate)
    time = now
    let needed = min(amount, capacity)
    guard level >= needed else {
      return Int(clamping: Int64(((needed - level) / rate).rounded(.up)))
    }
    level -= amount
    return nil
  }

  /// Takes some out, whether it is there or not.
  package mutating func owe(_ amount: Double) { level -= amount }
}
