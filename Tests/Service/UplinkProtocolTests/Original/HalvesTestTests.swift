import Testing

@testable import UplinkProtocol

struct HalvesTestTests {
  /// What is known of other distances takes the place of counting: it has to say the same.
  @Test func sharesAreThoseOfCounting() throws {
    var generator = SplitMix64(seed: 6)
    for shift in [0.0, 0.5, 1, 4] {
      let first = (0..<30).map { _ in Double.random(in: 0...4, using: &generator) }
      let second = (0..<41).map { _ in Double.random(in: 0...4, using: &generator) + shift }
      var halves = try #require(HalvesTest(first, second))
      for p in [0.2, 0.001] {
        var (drawing, again) = (SplitMix64(seed: 7), SplitMix64(seed: 7))
        let share = halves.share(agreeingWith: p, &drawing)
        var fresh = try #require(HalvesTest(first, second))
        #expect(fresh.share(agreeingWith: p, &again) == share)
        #expect((0...1).contains(share))
      }
      var (one, other) = (SplitMix64(seed: 8), SplitMix64(seed: 8))
      // No p of these sizes is 0.05 exactly: it is above or below.
      let sum =
        halves.share(agreeingWith: 1, &one) + halves.share(agreeingWith: 0, &other)
      #expect(abs(sum - 1) < 1e-12)
    }
  }

  @Test func nothingHasNoHalf() {
    #expect(HalvesTest([1], [1, 2, 3]) == nil)
    #expect(HalvesTest([1, 2], []) == nil)
    #expect(HalvesTest([1, 2], [1, 2]) != nil)
  }
}
