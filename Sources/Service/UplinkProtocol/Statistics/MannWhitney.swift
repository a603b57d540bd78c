/// The test of Mann and Whitney: are the samples of one set smaller or greater than those of another?
///
/// Exact where the smaller set has at most 8 samples and no two are equal; else by the normal
/// distribution, corrected for equal samples and for being continuous.
public struct MannWhitney: Hashable, Sendable {
  private static let exactLimit = 8

  /// In how many pairs of both sets the first set's sample is the greater one; equal ones are half a
  /// pair.
  public let statistic: Double
  /// How likely such a statistic is by chance.
  public let p: Double

  /// Compares two sets.
  ///
  /// - Throws: `empty`, `notFinite` or `tooMany`.
  public init(
    _ first: [Double], _ second: [Double], _ alternative: Alternative = .twoSided
  ) throws(StatisticsError) {
    try Samples.check(first, second)
    let (n, m) = (first.count, second.count)
    let ranks = Ranks(first + second)
    // Twice the statistic, a whole number.
    let doubled = ranks.doubled[..<n].reduce(0, +) - n * (n + 1)
    let mirrored = 2 * n * m - doubled
    statistic = Double(doubled) / 2
    let tested =
      switch alternative {
      case .less: mirrored
      case .greater: doubled
      case .twoSided: max(doubled, mirrored)
      }
    let isTied = ranks.ties.contains { $0 > 1 }
    let tail =
      min(n, m) <= MannWhitney.exactLimit && !isTied
      ? MannWhitneyCounts.upperTail(tested / 2, n, m)
      : MannWhitney.normalTail(Double(tested) / 2, n, m, ranks.ties)
    p = min(1, alternative == .twoSided ? 2 * tail : tail)
  }

  private static func normalTail(_ statistic: Double, _ n: Int, _ m: Int, _ ties: [Int]) -> Double {
    let (product, count) = (Double(n) * Double(m), Double(n + m))
    let tied = ties.reduce(0.0) { sum, tie in
      sum + Double(tie) * (Double(tie) * Double(tie) - 1)
    }
    // Two samples or more: count > 1.
    let variance = product / 12 * (count + 1 - tied / (count * (count - 1)))
    // Where all samples are equal there is nothing to be seen.
    guard variance > 0 else { return 1 }
    return NormalDistribution.upperTail((statistic - product / 2 - 0.5) / variance.squareRoot())
  }
}
