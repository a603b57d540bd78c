/// The ways in which two sets of samples can be mixed, as paths on a lattice from (0, 0) to (n, m):
/// each sample is a step along the axis of its set. The distance of the sets is how far the path
/// comes from the diagonal (Hodges, 1958, "The significance probability of the Smirnov two-sample
/// test").
struct LatticePaths {
  /// What is smaller is taken for nothing: numbers without their full precision slow everything down.
  private static let tiny = 1e-290

  private let n: Int
  private let m: Int
  private let divisor: Int
  /// The least common multiple of both counts: so many steps are a distance of 1.
  let multiple: Int

  /// - Parameters:
  ///   - first: at least 1.
  ///   - second: at least 1.
  init(_ first: Int, _ second: Int) {
    n = min(first, second)
    m = max(first, second)
    divisor = LatticePaths.divisor(first, second)
    multiple = first / divisor * second
  }

  /// The greatest common divisor.
  static func divisor(_ first: Int, _ second: Int) -> Int {
    second == 0 ? first : divisor(second, first % second)
  }

  /// The share of all paths that come at least so many steps away from the diagonal.
  func shareReaching(_ steps: Int) -> Double {
    if steps <= 0 { return 1 }
    let share = n == m ? shareOfSquare(steps) : shareByDiagonals(steps)
    return min(1, share)
  }

  /// By reflection, for sets of one size: 2 (C(2n, n-h) - C(2n, n-2h) + ...) / C(2n, n).
  private func shareOfSquare(_ steps: Int) -> Double {
    var share = 0.0
    for k in stride(from: n / steps, through: 1, by: -1) {
      // C(2n, n - kh) by C(2n, n - (k-1)h).
      var quotient = 1.0
      let last = (k - 1) * steps
      for j in 0..<steps { quotient *= Double(n - last - j) / Double(n + last + j + 1) }
      share = quotient * (1 - share)
    }
    return 2 * share
  }

  /// Diagonal by diagonal: of all paths to (i, j), which share has been outside? A path comes there
  /// from (i-1, j) in i of i + j cases. Only sums of positive numbers, so that small shares are
  /// exact too.
  func shareByDiagonals(_ steps: Int) -> Double {
    let width = steps * divisor
    // At n - i, so that a diagonal can take the place of the one before it from the front.
    var shares = [Double](repeating: 1, count: n + 2)
    shares[n] = 0
    for s in 1...(n + m) {
      // Inside: |i m - j n| < width, which is |i (n + m) - s n| < width.
      let inside = LatticePaths.floor(s * n - width, n + m) + 1
      let low = max(0, s - m, inside)
      let high = min(n, s, -LatticePaths.floor(-(s * n + width), n + m) - 1)
      let part = 1 / Double(s)
      for k in (n - high)..<max(n - high, n - low + 1) {
        let i = Double(n - k)
        let share = (shares[k + 1] * i + shares[k] * (Double(s) - i)) * part
        shares[k] = share < LatticePaths.tiny ? 0 : share
      }
      // What was inside on the diagonal before, and is not any more.
      if inside > 0, inside <= n + 1 { shares[n - inside + 1] = 1 }
    }
    return shares[0]
  }

  private static func floor(_ number: Int, _ divisor: Int) -> Int {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
