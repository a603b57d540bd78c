import Glibc

/// When a check may end. Its looks raise a false alarm in at most the sum of their `alpha`: 1 % of fair
/// links, whatever depends on what in time.
public struct LookPlan: Hashable, Sendable {
  /// At 10, 13 and 16 pairs.
  public static let standard = LookPlan(pairs: [10, 13, 16])
  /// After so many pairs a plan can be made.
  public static let first = 10
  private static let fewest = 16
  /// No plan has more pairs.
  package static let most = 64
  /// What a normal value exceeds with 0.5 %: half of the false alarms.
  private static let alarm = 2.576

  /// The looks, the last one at the end.
  public let looks: [Look]
  /// How many pairs there are at the end.
  public var pairs: Int { looks.last?.pairs ?? 0 }

  private init(pairs: [Int]) {
    // The last one may spend more than the others: 0.2, 0.2, 0.6 %.
    let last = pairs.count - 1
    looks = pairs.enumerated().map { index, count in
      Look(
        pairs: count, alpha: index == last ? 0.006 : 0.002, gamma: index == last ? 0.05 : 0.01)
    }
  }

  /// A plan of so many pairs, from 10 to 64: a look at the first ten, one in the middle and one at the end.
  package static func fixed(_ pairs: Int) -> LookPlan {
    let count = min(max(pairs, first), most)
    let looks = [first, (first + count) / 2, count]
    return LookPlan(pairs: looks.enumerated().filter { $0 == 0 || $1 > looks[$0 - 1] }.map { $1 })
  }

  /// The plan without the looks that come after so many pairs: where data does not suffice for more. The look that is
  /// the last one then may spend what a last one may.
  func kept(to pairs: Int) -> LookPlan {
    LookPlan(pairs: looks.map(\.pairs).filter { $0 <= pairs })
  }

  /// A plan that finds a slowdown with a probability, for a link that varies as these pairs do.
  ///
  /// Only the sizes of the differences enter, not their signs, so that the tests of the looks stay
  /// exact.
  ///
  /// - Parameters:
  ///   - differences: those of the first ten pairs.
  ///   - slowdown: the factor, above 1.
  ///   - power: the probability, above 0 and below 1.
  /// - Throws: `empty`, `notFinite`, `tooMany` or `outOfRange`.
  public static func planned(
    after differences: [Double], slowdown: Double, power: Double
  ) throws(StatisticsError) -> LookPlan {
    try Samples.check(differences, "the differences")
    guard slowdown > 1, slowdown.isFinite, power > 0, power < 1 else {
      throw StatisticsError(.outOfRange, "the slowdown is not above 1, or the power not below")
    }
    let square = Samples.mean(differences.map { $0 * $0 })
    let distance = alarm + NormalDistribution.value(exceededWith: 1 - power)
    // Squared below: a power that is always reached must not ask for many pairs.
    let root = max(0, distance) * square.squareRoot() / log(slowdown)
    let wanted = (root * root).rounded(.up) + 2
    let count = Int(min(max(wanted, Double(fewest)), Double(most)))
    let middle = Int((0.6 * Double(count)).rounded(.up))
    // Where the middle falls on the first look there is nothing new to be seen.
    return LookPlan(pairs: middle > first ? [first, middle, count] : [first, count])
  }
}
