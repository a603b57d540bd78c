/// How many of all ways to mix two sets have which statistic of Mann and Whitney's: the coefficients
/// of the Gaussian binomial C(n + m, n) in q.
enum MannWhitneyCounts {
  /// The share of ways with at least this statistic. The smaller set has at most 8 samples: all counts
  /// are below 2¹²⁸.
  static func upperTail(_ statistic: Int, _ n: Int, _ m: Int) -> Double {
    // As many have at most the mirrored statistic. Of the two tails the shorter one is counted.
    let mirrored = n * m - statistic
    let isUpper = mirrored < statistic
    let last = isUpper ? mirrored : statistic - 1
    let (count, all) = counts(upTo: last, min(n, m), max(n, m))
    return Double(isUpper ? count : all - count) / Double(all)
  }

  /// How many ways have at most the statistic `last`, and how many there are.
  private static func counts(upTo last: Int, _ small: Int, _ large: Int) -> (UInt128, UInt128) {
    var all: UInt128 = 1
    for i in 1...small { all = all * UInt128(large + i) / UInt128(i) }
    guard last >= 0 else { return (0, all) }
    var counts = [UInt128](repeating: 0, count: last + 1)
    counts[0] = 1
    for i in 1...small {
      // Times 1 - q^(large + i), by 1 - q^i. What is lost above 2¹²⁸ between the two comes back.
      for k in stride(from: last, through: large + i, by: -1) {
        counts[k] &-= counts[k - large - i]
      }
      for k in stride(from: i, through: last, by: 1) { counts[k] &+= counts[k - i] }
    }
    return (counts.reduce(0, +), all)
  }
}
