import Glibc

/// The standard normal distribution.
enum NormalDistribution {
  /// How likely a value is at least this.
  static func upperTail(_ value: Double) -> Double { erfc(value / 2.0.squareRoot()) / 2 }

  /// The value that is exceeded with a probability strictly between 0 and 1.
  static func value(exceededWith p: Double) -> Double {
    // Beyond ±39 the tail is smaller than any number.
    var (low, high) = (-39.0, 39.0)
    for _ in 0..<64 {
      let middle = (low + high) / 2
      if upperTail(middle) > p { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
