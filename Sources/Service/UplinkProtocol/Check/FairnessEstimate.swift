import Glibc

/// What the pairs of a check say at a look.
public struct FairnessEstimate: Hashable, Sendable {
  /// A difference below this factor is not worth a word.
  public static let smallest = 1.25
  /// Its logarithm.
  static let margin = log(smallest)

  /// The original's speed by the control's.
  public let ratio: Double
  /// The lower end of its interval; nil without a bound.
  public let low: Double?
  /// The upper end of its interval; nil without a bound.
  public let high: Double?
  /// How likely differences like these are by chance.
  public let p: Double
  /// What follows; nil when more pairs are needed.
  public let verdict: FairnessVerdict?

  /// Looks at the differences so far.
  ///
  /// - Parameters:
  ///   - isLast: whether there are no more looks, so that there has to be a verdict.
  ///   - seed: of the random flips of many pairs.
  /// - Throws: `empty` without any difference.
  public init(
    _ differences: PairDifferences, at look: Look, isLast: Bool, seed: UInt64
  ) throws(StatisticsError) {
    let flips = try SignFlips(differences.values, seed: seed)
    let (low, high) = try flips.interval(look.gamma)
    ratio = flips.ratio
    self.low = low.map { exp($0) }
    self.high = high.map { exp($0) }
    p = flips.p
    let isSignificant = p <= look.alpha
    let isWithin = low.map { $0 >= -Self.margin } == true && high.map { $0 <= Self.margin } == true
    if differences.failedControls * 2 > differences.pairs {
      verdict = isLast ? .inconclusive(.failed) : nil
    } else if differences.tooFast * 2 > differences.pairs {
      verdict = isLast ? .inconclusive(.tooFast) : nil
    } else if isSignificant, abs(flips.mean) >= Self.margin {
      verdict = flips.mean > 0 ? .prioritised : differences.areBlocked ? .blocked : .throttled
    } else if isWithin {
      verdict = .fair
    } else {
      verdict = isLast ? .inconclusive(isSignificant ? .small : .noisy) : nil
    }
  }
}

extension PairDifferences {
  /// At least 80 % of the originals failed, and at most 20 % of the controls.
  fileprivate var areBlocked: Bool {
    failedOriginals * 5 >= pairs * 4 && failedControls * 5 <= pairs
  }
}
