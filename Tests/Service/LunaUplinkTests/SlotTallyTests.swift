import Testing
import UplinkProtocol

@testable import LunaUplink

/// What is known to have gone where there is no record of it.
struct SlotTallyTests {
  @Test func whereNothingBeganItIsTheGreeting() {
    #expect(SlotTally().used == SlotVolume.used(0, slots: 2))
  }

  @Test func everySlotAndEveryByteCounts() {
    let tally = SlotTally()
    tally.begin()
    tally.add(1_000_000)
    tally.begin(2)
    tally.add(500_000)
    #expect(tally.used == SlotVolume.used(1_500_000, slots: 5))
  }
}
