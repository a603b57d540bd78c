import Glibc

/// The test by sign flips: are differences of pairs zero in the middle, when chance alone decides their
/// signs? It asks nothing else of their distribution.
///
/// Exact up to 20 differences, else by 100,000 random flips.
public struct SignFlips: Sendable {
  /// How many differences are taken at most.
  public static let limit = 1_000
  /// Up to so many differences all flips are counted.
  public static let exactLimit = 20
  /// How many random flips are drawn beyond that.
  public static let draws = 100_000
  /// How exactly the sides of an interval are found.
  private static let intervalPrecision = 1e-6
  private static let largest = 1e100

  /// The mean of the differences.
  public let mean: Double
  /// The share of all flips whose sum is at least as large as that of the differences.
  public let p: Double
  /// e to the mean: a ratio, where the differences are those of logarithms.
  public var ratio: Double { exp(mean) }

  private let differences: [Double]
  private let flips: RandomFlips?

  /// Tests differences.
  ///
  /// - Parameters:
  ///   - differences: 1 to 1,000, each at most 1e100 in size.
  ///   - seed: of the random flips.
  ///   - draws: how many there are.
  /// - Throws: `empty`, `notFinite`, `tooMany` or `outOfRange`.
  public init(
    _ differences: [Double], seed: UInt64 = 0, draws: Int = SignFlips.draws
  ) throws(StatisticsError) {
    try Samples.check(differences, "the differences")
    guard differences.count <= SignFlips.limit else {
      throw StatisticsError(.tooMany, "there are more than \(SignFlips.limit) differences")
    }
    guard differences.allSatisfy({ abs($0) <= SignFlips.largest }) else {
      throw StatisticsError(.outOfRange, "a difference is too large")
    }
    self.differences = differences
    mean = Samples.mean(differences)
    flips =
      differences.count <= SignFlips.exactLimit
      ? nil : RandomFlips(of: differences, count: max(1, draws), seed: seed)
    p = SignFlips.p(of: differences, flips, shiftedBy: 0)
  }

  /// All shifts that the differences do not speak against: those `δ` for which the differences less
  /// `δ` have a `p` above `gamma`.
  ///
  /// - Parameter gamma: above 0 and below 1.
  /// - Returns: both sides; nil for a side that has no bound, as with very few differences.
  /// - Throws: `outOfRange`.
  public func interval(
    _ gamma: Double
  ) throws(StatisticsError) -> (low: Double?, high: Double?) {
    guard gamma > 0, gamma < 1 else {
      throw StatisticsError(.outOfRange, "the level of an interval is not between 0 and 1")
    }
    // Beyond the outermost difference all shifts have the same p, the smallest one. From there to the
    // mean it only grows.
    let sorted = differences.sorted()
    let (least, greatest) = (sorted[0], sorted[sorted.count - 1])
    let margin = max(1, greatest - least)
    return (bound(from: least - margin, gamma), bound(from: greatest + margin, gamma))
  }

  private func bound(from far: Double, _ gamma: Double) -> Double? {
    var (outside, inside) = (far, mean)
    guard SignFlips.p(of: differences, flips, shiftedBy: outside) <= gamma else { return nil }
    while abs(inside - outside) > SignFlips.intervalPrecision {
      let middle = (inside + outside) / 2
      // Very large numbers have no others between them.
      guard middle != inside, middle != outside else { break }
      if SignFlips.p(of: differences, flips, shiftedBy: middle) > gamma {
        inside = middle
      } else {
        outside = middle
      }
    }
    return inside
  }

  private static func p(
    of differences: [Double], _ flips: RandomFlips?, shiftedBy shift: Double
  ) -> Double {
    let shifted = differences.map { $0 - shift }
    let (sum, size) = shifted.reduce((0, 0)) { ($0.0 + $1, $0.1 + abs($1)) }
    // Sums that are equal by their definition may differ by what was rounded: by 1e-12 of themselves,
    // and where they cancel each other by the last bits of what was added.
    let least = abs(sum) * (1 - 1e-12) - size * Double(differences.count) * .ulpOfOne
    if least <= 0 { return 1 }
    return flips?.share(atLeast: least, shiftedBy: shift)
      ?? AllFlips.share(of: shifted, atLeast: least)
  }
}
