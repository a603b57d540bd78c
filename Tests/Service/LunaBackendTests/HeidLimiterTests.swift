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

  private func take(_ count: Int, _ heid: HEID, by limiter: HeidLimiter, at seconds: Int64 = 0) {
    for _ in 0..<count { #expect(limiter.take(heid, at: seconds)) }
  }

  /// Has processes tell one after the other what they took, as by a storage that knows these counts.
  private func tell(_ limiters: [HeidLimiter], _ counts: inout [HEID: Int]) {
    for limiter in limiters {
      guard let news = limiter.news() else { continue }
      for (heid, more) in news.additions { counts[heid, default: 0] += more }
      limiter.hear(counts, inHour: news.hour)
    }
  }

  @Test func processesCountTogether() {
    let limiters = (0..<2).map { _ in HeidLimiter(limit: 20, isShared: true) }
    let heid = Samples.heid(1)
    var counts: [HEID: Int] = [:]
    take(15, heid, by: limiters[0])
    take(3, heid, by: limiters[1])
    // The first one hears of the second one the next time, and nothing is told twice.
    for _ in 0..<3 { tell(limiters, &counts) }
    #expect(counts == [heid: 18])
    take(2, heid, by: limiters[0])
    #expect(!limiters[0].take(heid, at: 0))
    tell(limiters, &counts)
    #expect(counts == [heid: 20])
    #expect(!limiters[1].take(heid, at: 0))
    // In the next hour nobody has any.
    take(15, heid, by: limiters[0], at: 3600)
    limiters[0].hear(counts, inHour: 0)
    take(5, heid, by: limiters[0], at: 3600)
    #expect(limiters[0].news()?.hour == 1)
  }

  /// A tracker that is heard ten times a second for an hour, by gateways at both of two, which tell each other each ten
  /// seconds.
  @Test func anHourBringsHardlyMoreThanOneAllows() {
    let limit = 2000
    let limiters = (0..<2).map { _ in HeidLimiter(limit: limit, isShared: true) }
    let heid = Samples.heid(1)
    var counts: [HEID: Int] = [:]
    var taken = 0
    for second in 0..<3600 {
      for number in 0..<10 where limiters[number % 2].take(heid, at: Int64(second)) { taken += 1 }
      // Each in its own turn.
      if second % 5 == 0 { tell([limiters[second / 5 % 2]], &counts) }
    }
    #expect((limit...limit * 11 / 10 + 100).contains(taken))
  }

  @Test func whatIsLittleAskedForIsNotTold() {
    let limiter = HeidLimiter(limit: 20, isShared: true)
    take(2, Samples.heid(1), by: limiter)
    #expect(limiter.news()?.additions == nil)
    take(3, Samples.heid(2), by: limiter)
    #expect(limiter.news()?.additions == [Samples.heid(2): 3])
    // It has no others.
    let alone = HeidLimiter(limit: 20)
    take(20, Samples.heid(1), by: alone)
    #expect(alone.news()?.additions == nil)
  }

  @Test func whatIsGivenBackIsTaken() {
    let limiter = HeidLimiter(limit: 20, isShared: true)
    let heid = Samples.heid(1)
    take(5, heid, by: limiter)
    #expect(limiter.news()?.additions == [heid: 5])
    limiter.giveBack(heid, at: 0)
    #expect(limiter.news()?.additions == [heid: -1])
  }

  @Test func whatMayHaveBeenHeardIsNotToldAgain() {
    let limiter = HeidLimiter(limit: 20, isShared: true)
    let heid = Samples.heid(1)
    take(5, heid, by: limiter)
    // Whoever kept it did not answer.
    _ = limiter.news()
    #expect(limiter.news()?.additions == [heid: 0])
  }

  @Test func whatWasLostIsToldAgain() {
    let limiters = (0..<2).map { _ in HeidLimiter(limit: 20, isShared: true) }
    let heid = Samples.heid(1)
    var counts: [HEID: Int] = [:]
    take(15, heid, by: limiters[0])
    tell(limiters, &counts)
    counts = [:]
    for _ in 0..<2 { tell(limiters, &counts) }
    #expect(counts == [heid: 15])
    take(3, heid, by: limiters[1])
    tell(limiters, &counts)
    take(2, heid, by: limiters[1])
    #expect(!limiters[1].take(heid, at: 0))
  }

  @Test func ofTooManyTheMostAskedForAreTold() {
    let limiter = HeidLimiter(limit: 10, isShared: true, capacity: 2)
    for number in 1...4 { take(number + 1, Samples.heid(number), by: limiter) }
    let told: Set = [Samples.heid(3), Samples.heid(4)]
    #expect(limiter.news().map { Set($0.additions.keys) } == told)
    // They stay, whoever comes later.
    take(7, Samples.heid(1), by: limiter)
    #expect(limiter.news().map { Set($0.additions.keys) } == told)
  }
}
