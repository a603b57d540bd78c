import LunaProtocol
import Testing

@testable import LunaBackend

@Suite struct HeidLimiterTests {
  @Test func countsForAnHour() {
    let limiter = HeidLimiter(limit: 3)
    let heid = Samples.heid(1)
    #expect((0..<3).allSatisfy { _ in limiter.take(heid, at: 7200) })
    #expect(!limiter.take(heid, at: 10_799))
    #expect(limiter.take(heid, at: 10_800))
  }

  @Test func keepsIdentifiersApart() {
    let limiter = HeidLimiter(limit: 1)
    let taken = (0..<1000).count { limiter.take(Samples.heid($0), at: 0) }
    // Two of a quarter million counters each: hardly one meets others in both.
    #expect(taken >= 999)
  }

  @Test func zeroIsNoLimit() {
    let limiter = HeidLimiter(limit: 0)
    let heid = Samples.heid(1)
    #expect((0..<100_000).allSatisfy { _ in limiter.take(heid, at: 0) })
  }
}
