import Testing

@testable import UplinkProtocol

struct ThroughputVariationTests {
  private static let variations = (1...40).map { Double($0) / 4 }

  private func rates(_ mean: Double, seed: UInt64, count: Int = 100) -> [Double] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in mean * Double.random(in: 0.95...1.05, using: &generator) }
  }

  private func variation(_ single: Double) throws -> ThroughputVariation {
    try ThroughputVariation(
      single: rates(single, seed: 1), first: rates(2, seed: 2), second: rates(3, seed: 3),
      variations: Self.variations)
  }

  @Test func oneLimitIsSeen() throws {
    let variation = try variation(5)
    #expect(variation.isCommon && variation.test.p < 1e-6)
    // The same samples are judged alike.
    #expect(try self.variation(5) == variation)
  }

  @Test func twoLimitsAreNone() throws {
    let variation = try variation(2.5)
    #expect(!variation.isCommon && variation.test.p > 0.99)
  }

  @Test func refusesWhatSaysNothing() {
    let cases: [([Double], [Double], [Double], [Double], StatisticsError.Kind)] = [
      ([1], [1], [1], [1], .tooFew), ([], [1, 1], [1, 1], [1], .empty),
      ([1, 1], [1, 1], [], [1], .empty), ([1, 1], [1, 1], [1, 1], [], .empty),
      ([1, .nan], [1, 1], [1, 1], [1], .notFinite),
    ]
    for (single, first, second, variations, kind) in cases {
      let error = #expect(throws: StatisticsError.self) {
        try ThroughputVariation(
          single: single, first: first, second: second, variations: variations)
      }
      #expect(error?.kind == kind)
    }
  }

  @Test func neighboursTellWhatIsUsual() {
    #expect(ThroughputVariation.variations(of: [4, 5, 5, 0]) == [20, 0, 100])
    #expect(ThroughputVariation.variations(of: [4]).isEmpty)
    #expect(ThroughputVariation.percent(0, 0) == 0)
  }
}
