import Glibc

/// How likely a check would have seen a slowdown, on a link that varies as its pairs did.
public struct DetectionPower: Hashable, Sendable {
  /// The slowdowns that are tried.
  public static let factors = [1.25, 1.5, 2, 4]
  /// From this probability on a slowdown "would have been seen".
  public static let enough = 0.95
  private static let runs = 1_000
  /// Random flips of each look with more than 20 pairs. A tenth of what a check itself takes: what
  /// varies by chance among a thousand runs is far more.
  private static let draws = 10_000

  /// The probability for each slowdown, in the order of ``factors``.
  public let shares: [Double]

  /// The least slowdown that would have been seen; nil when none of them would.
  public var detectable: Double? {
    zip(DetectionPower.factors, shares).first { $0.1 >= DetectionPower.enough }?.0
  }

  /// Repeats a check a thousand times for each slowdown, with differences drawn from its own.
  ///
  /// - Throws: `empty`, `notFinite`, `tooMany` or `outOfRange`.
  public init(
    _ differences: [Double], plan: LookPlan, seed: UInt64
  ) throws(StatisticsError) {
    try Samples.check(differences, "the differences")
    let mean = Samples.mean(differences)
    let centred = differences.map { $0 - mean }
    var generator = SplitMix64(seed: seed)
    var shares: [Double] = []
    for factor in DetectionPower.factors {
      var seen = 0
      for _ in 0..<DetectionPower.runs
      where try DetectionPower.isSeen(log(factor), centred, plan, &generator) { seen += 1 }
      shares.append(Double(seen) / Double(DetectionPower.runs))
    }
    self.shares = shares
  }

  private static func isSeen(
    _ shift: Double, _ centred: [Double], _ plan: LookPlan, _ generator: inout SplitMix64
  ) throws(StatisticsError) -> Bool {
    let drawn = (0..<plan.pairs).map { _ in
      let size = centred[Int.random(in: centred.indices, using: &generator)]
      let value = (Bool.random(using: &generator) ? size : -size) + shift
      return min(max(value, -PairDifferences.largest), PairDifferences.largest)
    }
    for look in plan.looks {
      let part = Array(drawn.prefix(look.pairs))
      // The mean is quickly known, and often not enough.
      guard abs(Samples.mean(part)) >= FairnessEstimate.margin else { continue }
      let flips = try SignFlips(part, seed: generator.next(), draws: draws)
      if flips.p <= look.alpha { return true }
    }
    return false
  }
}
