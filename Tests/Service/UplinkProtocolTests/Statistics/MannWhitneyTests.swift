import Testing

@testable import UplinkProtocol

struct MannWhitneyTests {
  /// Every choice of ranks for the first set.
  private func share(_ n: Int, _ m: Int, atLeast statistic: Int) -> Double {
    var (reached, all) = (0, 0)
    for choice in 0..<(1 << (n + m)) where choice.nonzeroBitCount == n {
      let ranks = (0..<(n + m)).filter { choice >> $0 & 1 == 1 }
      all += 1
      if ranks.reduce(0, +) - n * (n - 1) / 2 >= statistic { reached += 1 }
    }
    return Double(reached) / Double(all)
  }

  @Test func countsAllMixtures() {
    for (n, m) in [(1, 1), (1, 6), (4, 2), (3, 5), (8, 4), (5, 5)] {
      for statistic in 0...(n * m) {
        let expected = share(n, m, atLeast: statistic)
        let found = MannWhitneyCounts.upperTail(statistic, n, m)
        #expect(abs(found - expected) < 1e-15, "\(n) \(m) \(statistic)")
      }
    }
  }

  @Test func largestExactCountsFit() throws {
    // 8 against 10,000 without ties: the smallest and the most usual statistic.
    let large = (0..<10_000).map { Double($0) }
    let below = (1...8).map { -Double($0) }
    let least = try MannWhitney(below, large, .less)
    #expect(least.statistic == 0 && least.p > 0 && least.p < 1e-27)
    #expect(try MannWhitney(below, large, .greater).p == 1)
    let between = (0..<8).map { Double($0) * 1250 + 624.5 }
    let usual = try MannWhitney(between, large)
    #expect(usual.statistic == 40_000 && usual.p == 1)
  }

  @Test func equalSamplesAreHalfAPair() throws {
    let test = try MannWhitney([3], [3, 3, 3])
    #expect(test.statistic == 1.5 && test.p == 1)
  }
}
