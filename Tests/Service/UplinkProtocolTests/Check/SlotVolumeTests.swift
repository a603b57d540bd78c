import Testing
import UplinkProtocol

struct SlotVolumeTests {
  @Test(arguments: [(0, 0), (1_000_000, 0), (1_000_000, 20), (90_000_000, 34)])
  func whatFitsTakesNoMore(_ bytes: Int, _ slots: Int) {
    let used = SlotVolume.used(bytes, slots: slots)
    #expect(used >= Int64(bytes) && SlotVolume.data(in: used, slots: slots) == bytes)
  }

  @Test func headersAndSlotsTakeSome() {
    #expect(SlotVolume.used(1_000, slots: 1) == 11_080)
    #expect(SlotVolume.data(in: 9_999, slots: 1) == 0)
  }
}
