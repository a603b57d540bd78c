import LunaProtocol
import Testing

@testable import LunaBackend

@Suite struct HeidFilterTests {
  @Test func findsWhatWasPutInAndHardlyAnythingElse() {
    var filter = HeidFilter(size: 1 << 16)
    #expect(!filter.contains(Samples.heid(1)))
    for number in 0..<4000 { filter.insert(Samples.heid(number)) }
    #expect((0..<4000).allSatisfy { filter.contains(Samples.heid($0)) })
    let others = (10_000..<20_000).count { filter.contains(Samples.heid($0)) }
    #expect(others < 50)
  }

  @Test func knowsWhenItIsFull() {
    var filter = HeidFilter(size: 1 << 16)
    // Again and again the same ones take no room.
    for _ in 0..<3 {
      for number in 0..<4000 { filter.insert(Samples.heid(number)) }
    }
    #expect((3900...4000).contains(filter.count) && !filter.isFull)
    for number in 4000..<4200 { filter.insert(Samples.heid(number)) }
    #expect(filter.isFull)
  }
}
