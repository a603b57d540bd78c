/// What every statistic asks of its samples.
enum Samples {
  /// No statistic takes more: so many are what a server of Wehe's holds of a replay.
  static let limit = 10_000

  static func check(_ samples: [Double], _ name: String) throws(StatisticsError) {
    guard !samples.isEmpty else { throw StatisticsError(.empty, "\(name) is empty") }
    guard samples.count <= limit else {
      throw StatisticsError(.tooMany, "\(name) has more than \(limit) samples")
    }
    guard samples.allSatisfy(\.isFinite) else {
      throw StatisticsError(.notFinite, "\(name) has a sample that is not a finite number")
    }
  }

  static func check(_ first: [Double], _ second: [Double]) throws(StatisticsError) {
    try check(first, "the first set")
    try check(second, "the second set")
  }

  /// The mean; no sum on the way to it overflows.
  static func mean(_ samples: some Sequence<Double>) -> Double {
    var (mean, count) = (0.0, 0.0)
    for sample in samples {
      count += 1
      mean += sample / count - mean / count
    }
    return mean
  }

  /// The median; that of an even number is the mean of the two in the middle.
  static func median(_ samples: [Double]) -> Double? {
    let sorted = samples.sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1
      ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2
  }

  /// So many of the samples, each at most once, in their order.
  static func draw(
    _ count: Int, of samples: [Double], _ generator: inout SplitMix64
  ) -> [Double] {
    var drawn: [Double] = []
    drawn.reserveCapacity(count)
    var missing = count
    // Each is taken with the probability that leaves all choices equally likely (Knuth, The Art of
    // Computer Programming, volume 2, 3.4.2, algorithm S).
    for (index, sample) in samples.enumerated() where missing > 0 {
      if Int.random(in: 0..<(samples.count - index), using: &generator) < missing {
        drawn.append(sample)
        missing -= 1
      }
    }
    return drawn
  }
}
