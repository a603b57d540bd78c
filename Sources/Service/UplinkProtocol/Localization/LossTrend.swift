/// Whether the losses of two flows at once come together (UPLINK.md, 9). What two series that know nothing of each
/// other would say is found by shifting one of them in a circle: so it does not matter how either hangs together.
package struct LossTrend: Hashable, Sendable {
  /// From this probability on they do not.
  package static let level = 0.01
  /// How many shifts there are.
  private static let shifts = 500
  /// Less loss says nothing.
  private static let leastLoss = 0.001
  /// An interval has at least so many ticks: the network's answers do not come one by one.
  private static let leastTicks = 2

  /// How likely losses are to come together so well by chance: the median over lengths of intervals.
  package let p: Double
  /// How much the flow with less loss has lost, as a share.
  package let loss: Double

  /// Whether they come together, which speaks for one limit.
  package var isCommon: Bool { p <= LossTrend.level }

  /// Compares flows at once; nil where they lost too little, or were too short.
  ///
  /// - Parameters:
  ///   - first: the ticks of one.
  ///   - second: those of the other, at the same times.
  ///   - roundTrip: the larger one of their least round trips, s.
  ///   - seed: of the shifts.
  package init?(_ first: [LossTick], _ second: [LossTick], roundTrip: Double, seed: UInt64) {
    let count = min(first.count, second.count)
    guard count > LossTrend.shifts else { return nil }
    let (one, other) = (
      LossSeries(Array(first.prefix(count))), LossSeries(Array(second.prefix(count)))
    )
    loss = min(LossTrend.loss(one), LossTrend.loss(other))
    guard loss >= LossTrend.leastLoss else { return nil }
    let lengths = LossIntervals.lengths(
      roundTrip: roundTrip, duration: Double(count) * LossTick.seconds)
    let widths = Set(
      lengths.map { max(LossTrend.leastTicks, Int(($0 / LossTick.seconds).rounded())) })
    var generator = SplitMix64(seed: seed)
    let offsets = (0..<LossTrend.shifts).map { _ in
      Int.random(in: 1..<count, using: &generator)
    }
    let values = widths.sorted().compactMap { LossTrend.p(one, other, ticks: $0, offsets) }
    guard let median = Samples.median(values) else { return nil }
    p = median
  }

  private static func loss(_ series: LossSeries) -> Double {
    let all = series.total
    return all.sent > 0 ? Double(all.lost) / Double(all.sent) : 0
  }

  /// The share of shifts after which they go along with each other as well.
  private static func p(
    _ first: LossSeries, _ second: LossSeries, ticks: Int, _ shifts: [Int]
  ) -> Double? {
    guard let found = LossIntervals.correlation(first, second, ticks: ticks)?.statistic else {
      return nil
    }
    let asGood = shifts.count { shift in
      let shifted = LossIntervals.correlation(first, second, ticks: ticks, shift: shift)
      return shifted?.statistic ?? 0 >= found
    }
    return Double(asGood + 1) / Double(shifts.count + 1)
  }
}
