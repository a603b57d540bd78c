import Bluetooth
import LunaProtocol
import LunaTesting
import Testing

struct ModeScheduleTests {
  @Test func sharesOfTheCycle() {
    var count = (iBeacon: 0, connectable: 0)
    var regions = [0, 0, 0]
    for time in stride(from: Int64(0), to: 192_000, by: 100) {
      let slot = ModeSchedule.slot(clock: 1_700_000_000_000 + time, phase: 77)
      if slot.mode == .iBeacon {
        count.iBeacon += 1
        regions[slot.region] += 1
        #expect(!slot.isConnectable)
      }
      if slot.isConnectable { count.connectable += 1 }
    }
    // 2 of 16 s, three regions alike; 14 s of every fourth slot.
    #expect(count.iBeacon == 240)
    #expect(regions == [80, 80, 80])
    #expect(count.connectable == 420)
  }

  @Test func anyClockHasASlot() {
    for clock in [Int64.min, -1, 0, .max] {
      for phase in [Int64.min, 0, .max] {
        #expect(0...2 ~= ModeSchedule.slot(clock: clock, phase: phase).region)
      }
    }
  }

  @Test func addressesAreRandomStatic() throws {
    var random = Seeded(11)
    for _ in 0..<100 {
      let address = try #require(TrackerAddress.randomStatic(random.inline()))
      #expect(address.randomKind == .static)
    }
    #expect(TrackerAddress.randomStatic(InlineArray(repeating: 0)) == nil)
    #expect(TrackerAddress.randomStatic(InlineArray(repeating: 0xFF)) == nil)
    #expect(TrackerAddress.randomStatic([0xC0, 0, 0, 0, 0, 0]) == nil)
  }
}
