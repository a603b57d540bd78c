/// Spearman's rank correlation: do two series rise and fall together? Equal samples have the mean of
/// their ranks; the probability is that of Student's t with n - 2 degrees of freedom.
public struct Spearman: Hashable, Sendable {
  /// The correlation, -1 to 1.
  public let statistic: Double
  /// How likely such a correlation is by chance.
  public let p: Double

  /// Compares two series of one length.
  ///
  /// - Throws: `empty`, `notFinite`, `tooMany`, `unequal`, `tooFew` below three samples, or `constant`
  ///   when one of the series is.
  public init(
    _ first: [Double], _ second: [Double], _ alternative: Alternative = .twoSided
  ) throws(StatisticsError) {
    try Samples.check(first, second)
    guard first.count == second.count else {
      throw StatisticsError(.unequal, "one series has more samples than the other")
    }
    guard first.count > 2 else {
      throw StatisticsError(.tooFew, "a correlation needs three samples or more")
    }
    // Twice the ranks are whole numbers, so that all of this is exact: with 10,000 samples the
    // products stay below 2⁸⁴.
    let (x, y) = (Spearman.centred(first), Spearman.centred(second))
    let (xx, yy) = (Spearman.product(x, x), Spearman.product(y, y))
    guard xx > 0, yy > 0 else {
      throw StatisticsError(.constant, "all samples of one series are equal")
    }
    let xy = Spearman.product(x, y)
    let (all, along) = (xx * yy, xy * xy)
    // Of t² = r² (n - 2) / (1 - r²), what the beta function needs is r² and 1 - r².
    let (square, rest) = (Double(along) / Double(all), Double(all - along) / Double(all))
    statistic = square.squareRoot() * (xy < 0 ? -1 : 1)
    let both = IncompleteBeta.value(Double(first.count - 2) / 2, 0.5, rest, square)
    p =
      switch alternative {
      case .twoSided: both
      case .greater: xy > 0 ? both / 2 : 1 - both / 2
      case .less: xy < 0 ? both / 2 : 1 - both / 2
      }
  }

  private static func centred(_ samples: [Double]) -> [Int] {
    Ranks(samples).doubled.map { $0 - samples.count - 1 }
  }

  private static func product(_ x: [Int], _ y: [Int]) -> Int128 {
    zip(x, y).reduce(into: Int128(0)) { sum, pair in sum += Int128(pair.0 * pair.1) }
  }
}
