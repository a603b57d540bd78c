import Testing

@testable import LunaUplink

/// How large slots are where what is lost goes again: a budget holds on the cable, too.
struct PairRunTests {
  /// What a check may have.
  private static let budget = 30_000_000
  private static let slots = 34

  private func fitted(_ bytes: Int, wanted: Int, carried: Int, slots: Int) -> Int {
    var bytes = bytes
    PairRun.fit(&bytes, (wanted: wanted, carried: carried), slots: slots, Self.budget)
    return bytes
  }

  @Test func whereNothingIsLostSlotsStayAsTheyAre() {
    #expect(fitted(882_352, wanted: 0, carried: 0, slots: 34) == 882_352)
    #expect(fitted(882_352, wanted: 1_764_704, carried: 1_764_704, slots: 32) == 882_352)
    // What did not go at all, as a slot was broken off, is no reason either.
    #expect(fitted(882_352, wanted: 1_764_704, carried: 900_000, slots: 32) == 882_352)
  }

  /// 25 MB are left for 28 slots, and of five bytes that go four were wanted.
  @Test func whatGoesAgainMakesSlotsSmaller() {
    #expect(fitted(1_000_000, wanted: 4_000_000, carried: 5_000_000, slots: 28) == 714_285)
  }

  @Test func noSlotIsTooSmallOrGrows() {
    #expect(fitted(100_000, wanted: 4_000_000, carried: 5_000_000, slots: 28) == 100_000)
    #expect(fitted(900_000, wanted: 4_000_000, carried: 31_000_000, slots: 2) == PairRun.least)
    #expect(fitted(900_000, wanted: 4_000_000, carried: 5_000_000, slots: 0) == 900_000)
  }

  @Test(arguments: [1.0, 1.05, 1.3, 2.0]) func aBudgetHoldsWhateverGoesAgain(_ again: Double) {
    var bytes = Self.budget / Self.slots
    var spent = (wanted: 0, carried: 0)
    for slot in 0..<Self.slots {
      if slot % 2 == 0 { PairRun.fit(&bytes, spent, slots: Self.slots - slot, Self.budget) }
      spent.wanted += bytes
      spent.carried += Int((Double(bytes) * again).rounded(.up))
    }
    // A byte of each slot is rounded.
    #expect(spent.carried <= Self.budget + Self.slots)
    #expect(spent.carried > Self.budget / 100 * 99)
  }
}
