import Glibc

/// The regularised incomplete beta function I_x(a, b) (DLMF 8.17).
enum IncompleteBeta {
  private static let iterations = 10_000
  private static let precision = 1e-15
  private static let tiny = 1e-300

  /// - Parameters:
  ///   - x: 0 to 1.
  ///   - y: 1 - x, which is known more exactly than that difference would be.
  static func value(_ a: Double, _ b: Double, _ x: Double, _ y: Double) -> Double {
    if x <= 0 { return 0 }
    if y <= 0 { return 1 }
    // The fraction converges fast on this side of the mean (DLMF 8.17.22); I_x(a, b) = 1 - I_y(b, a).
    let value = x < (a + 1) / (a + b + 2) ? fraction(a, b, x, y) : 1 - fraction(b, a, y, x)
    return min(max(value, 0), 1)
  }

  private static func fraction(_ a: Double, _ b: Double, _ x: Double, _ y: Double) -> Double {
    let logX = x < 0.5 ? log(x) : log1p(-y)
    let logY = y < 0.5 ? log(y) : log1p(-x)
    let front = exp(a * logX + b * logY + logGamma(a + b) - logGamma(a) - logGamma(b)) / a
    // Lentz's way of computing a continued fraction.
    var c = 1.0
    var d = 1 / nonZero(1 - (a + b) * x / (a + 1))
    var result = d
    for step in 1...iterations {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / nonZero(1 + even * d)
      c = nonZero(1 + even / c)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / nonZero(1 + odd * d)
      c = nonZero(1 + odd / c)
      result *= d * c
      if abs(d * c - 1) < precision { break }
    }
    return front * result
  }

  private static func nonZero(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }

  private static func logGamma(_ value: Double) -> Double { lgamma(value).0 }
}
