import Glibc

/// What blocks say of how many limits there are (UPLINK.md, 9): two servers at once are as fast together as one
/// alone where both are behind one limit.
package struct LimitEstimate: Hashable, Sendable {
  /// The level of the intervals.
  static let gamma = 0.05
  /// From this factor on there are two limits.
  static let separate = 1.5
  private static let two = log(separate)
  /// From this factor on a flow is slower beside another one. It need not be half as fast: behind one queue flows do
  /// not share alike.
  private static let beside = log(1.1)

  /// The speed of both servers at once by that of one alone.
  package let ratio: Double
  /// The lower end of its interval; nil without a bound.
  package let low: Double?
  /// The upper end of its interval; nil without a bound.
  package let high: Double?
  /// The speed of two connections to one server by that of one.
  package let twice: Double
  /// What follows; nil where the speeds speak for no place.
  package let location: Location?
  /// Whether they could have spoken for one: where the control is not faster, it is the whole link that limits.
  package let isUsable: Bool

  /// Looks at blocks.
  ///
  /// - Parameters:
  ///   - sign: above 0 where originals are slower than controls, below 0 where they are faster.
  /// - Throws: `empty` without any block.
  package init(_ blocks: [LimitBlock], sign: Double, seed: UInt64) throws(StatisticsError) {
    let both = try SignFlips(blocks.map { log($0.together / $0.alone) }, seed: seed)
    let double = try SignFlips(blocks.map { log($0.twice / $0.alone) }, seed: seed)
    let control = try SignFlips(blocks.map { sign * log($0.control / $0.together) }, seed: seed)
    let first = try SignFlips(blocks.map { log($0.first / $0.alone) }, seed: seed)
    let (low, high) = try both.interval(LimitEstimate.gamma)
    let doubleLow = try double.interval(LimitEstimate.gamma).low
    let controlLow = try control.interval(LimitEstimate.gamma).low
    let firstHigh = try first.interval(LimitEstimate.gamma).high
    ratio = both.ratio
    self.low = low.map { exp($0) }
    self.high = high.map { exp($0) }
    twice = double.ratio
    let margin = FairnessEstimate.margin
    let isOne = low.map { $0 >= -margin } == true && high.map { $0 <= margin } == true
    let isTwo = low.map { $0 > LimitEstimate.two } == true
    // What is as fast as the control may be as fast as the link: then one speed says nothing of a limit of its own.
    let isHeld = control.mean >= margin && controlLow.map { $0 > 0 } == true
    isUsable = isTwo || isHeld
    // Behind one limit the first flow makes room for the other one. Beside a limit of its own that is much larger, a
    // second one hardly adds anything, and takes nothing away.
    let isShared = firstHigh.map { $0 <= -LimitEstimate.beside } == true
    if isTwo {
      location = doubleLow.map { $0 > LimitEstimate.two } == true ? .perConnection : .separate
    } else {
      location = isOne && isHeld && isShared ? .common : nil
    }
  }
}
