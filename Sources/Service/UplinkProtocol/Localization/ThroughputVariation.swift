/// The original's test of whether two replays at once are as fast together as one alone (UPLINK.md, 9): halves of
/// both are compared again and again, and what they differ by is held against what replays usually differ by.
package struct ThroughputVariation: Hashable, Sendable {
  /// The seed of the halves, unless another is given: the same samples are judged alike.
  package static let seed: UInt64 = 0x4C6F_6361_7465
  /// Below this probability the original takes both for alike.
  package static let level = 0.05

  /// Mann and Whitney's test of whether they differ by less than is usual.
  package let test: MannWhitney

  /// Whether two at once are as fast together as one alone, which speaks for one limit.
  package var isCommon: Bool { test.p < ThroughputVariation.level }

  /// Compares samples, Mbit/s.
  ///
  /// - Parameters:
  ///   - single: those of the replay alone.
  ///   - first: those of one of two replays at once.
  ///   - second: those of the other one.
  ///   - variations: what replays usually differ by, percent.
  /// - Throws: `empty`, `notFinite`, `tooMany`, or `tooFew` where half of the samples is nothing.
  package init(
    single: [Double], first: [Double], second: [Double], variations: [Double], seed: UInt64 = seed
  ) throws(StatisticsError) {
    let sums = zip(first, second).map { $0 + $1 }
    try Samples.check(single, sums)
    try Samples.check(variations, "what is usual")
    let half = min(single.count, sums.count) / 2
    guard half > 0 else { throw StatisticsError(.tooFew, "a replay has one sample alone") }
    var generator = SplitMix64(seed: seed)
    let differences = variations.map { _ in
      let alone = Samples.mean(Samples.draw(half, of: single, &generator))
      let together = Samples.mean(Samples.draw(half, of: sums, &generator))
      return ThroughputVariation.percent(alone, together)
    }
    test = try MannWhitney(differences, variations, .less)
  }

  /// What two rates differ by, percent of the larger one.
  package static func percent(_ first: Double, _ second: Double) -> Double {
    let larger = max(first, second)
    return larger > 0 ? abs(first - second) / larger * 100 : 0
  }

  /// What neighbours in a row of rates differ by, percent: what is usual, where nothing but chance lies between them.
  package static func variations(of rates: [Double]) -> [Double] {
    zip(rates, rates.dropFirst()).map { percent($0, $1) }
  }
}
