import Testing

@testable import UplinkProtocol

struct KolmogorovSmirnovTests {
  /// Counts every path.
  private func share(_ n: Int, _ m: Int, reaching steps: Int) -> Double {
    let paths = LatticePaths(n, m)
    var (reached, all) = (0, 0)
    func walk(_ i: Int, _ j: Int, _ isOutside: Bool) {
      let distance = abs(i * m - j * n) / (n * m / paths.multiple)
      let isOutside = isOutside || distance >= steps
      if i == n, j == m {
        all += 1
        reached += isOutside ? 1 : 0
      }
      if i < n { walk(i + 1, j, isOutside) }
      if j < m { walk(i, j + 1, isOutside) }
    }
    walk(0, 0, false)
    return Double(reached) / Double(all)
  }

  @Test func countsAllPaths() {
    for n in 1...5 {
      for m in 1...5 {
        let paths = LatticePaths(n, m)
        for steps in 0...paths.multiple {
          let expected = share(n, m, reaching: steps)
          #expect(abs(paths.shareReaching(steps) - expected) < 1e-14, "\(n) \(m) \(steps)")
        }
      }
    }
  }

  @Test func bothWaysToCountAgree() {
    for n in [1, 2, 7, 50, 200] {
      let paths = LatticePaths(n, n)
      for steps in Set([1, 2, n / 10, n / 4, n / 2, n]).filter({ 1...n ~= $0 }) {
        let (one, other) = (paths.shareReaching(steps), paths.shareByDiagonals(steps))
        #expect(abs(one - other) <= 1e-11 * max(one, 1e-3), "\(n) \(steps): \(one) \(other)")
      }
    }
  }

  @Test func equalAndSeparateSets() throws {
    let same = try KolmogorovSmirnov([1, 2, 2, 3], [1, 2, 2, 3])
    #expect(same.distance == 0 && same.p == 1)
    let apart = try KolmogorovSmirnov([1], [2])
    #expect(apart.distance == 1 && apart.p == 1)
    // 2 of C(20, 10) = 184,756 ways.
    let far = try KolmogorovSmirnov((0..<10).map(Double.init), (10..<20).map(Double.init))
    #expect(far.distance == 1 && abs(far.p - 2.0 / 184_756) < 1e-18)
  }

  @Test func refusesMoreThanItCounts() throws {
    let many = [Double](repeating: 1, count: KolmogorovSmirnov.limit + 1)
    let error = #expect(throws: StatisticsError.self) { try KolmogorovSmirnov(many, [1]) }
    #expect(error?.kind == .tooMany)
    #expect(try KolmogorovSmirnov(Array(many.dropLast()), [1]).p == 1)
  }

  /// Sets of the greatest size that differ most, of two sizes and of one.
  @Test func veryUnlikelySetsAreNoTrap() throws {
    let low = (0..<2_000).map { Double($0) }
    let high = (0..<1_999).map { Double($0) + 5_000 }
    #expect(try KolmogorovSmirnov(low, high).p == 0)
    #expect(try KolmogorovSmirnov(low, high + [9_999]).p < 1e-300)
  }
}
