/// The test of Kolmogorov and Smirnov: do two sets of samples come from one distribution? Two-sided
/// and exact; equal samples in both sets are counted at once.
public struct KolmogorovSmirnov: Hashable, Sendable {
  /// How many samples a set may have: 10,000.
  public static let limit = Samples.limit

  /// The greatest distance between the two cumulative distributions, 0 to 1.
  public let distance: Double
  /// How likely a distance of at least this is by chance.
  public let p: Double

  /// Compares two sets.
  ///
  /// - Throws: `empty`, `notFinite` or `tooMany`.
  public init(_ first: [Double], _ second: [Double]) throws(StatisticsError) {
    try Samples.check(first, second)
    let paths = LatticePaths(first.count, second.count)
    let steps = KolmogorovSmirnov.steps(first.sorted(), second.sorted())
    distance = Double(steps) / Double(paths.multiple)
    p = paths.shareReaching(steps)
  }

  /// The distance of two sorted sets, in units of one by the least common multiple of their counts.
  static func steps(_ first: [Double], _ second: [Double]) -> Int {
    var (i, j, greatest) = (0, 0, 0)
    while i < first.count, j < second.count {
      let value = min(first[i], second[j])
      while i < first.count, first[i] == value { i += 1 }
      while j < second.count, second[j] == value { j += 1 }
      greatest = max(greatest, abs(i * second.count - j * first.count))
    }
    return greatest / LatticePaths.divisor(first.count, second.count)
  }
}
