import Testing

@testable import WebAccess

/// What is allowed where several processes allow it.
@Suite struct RateLimiterTests {
  private let start = ContinuousClock.now

  /// How much somebody gets who asks until there is no more.
  private func taken(_ limiter: RateLimiter<String>, after seconds: Int = 0) -> Int {
    let time = start.advanced(by: .seconds(seconds))
    return (0..<1000).first { _ in limiter.take(1, for: "a", at: time) != nil } ?? 1000
  }

  @Test(arguments: [1, 2, 3, 7])
  func processesDivideRateAndBurst(count: Int) {
    let limiters = (0..<count).map { _ in RateLimiter<String>(rate: 10, burst: 4, of: count) }
    let first = limiters.reduce(0) { $0 + taken($1) }
    #expect(first <= 40 && first > 40 - count)
    let second = first + limiters.reduce(0) { $0 + taken($1, after: 1) }
    #expect(second <= 50 && second > 50 - 2 * count)
  }

  @Test func whatIsAllowedInAMinuteIsDivided() {
    let limiter = RateLimiter<String>(perMinute: 60, of: 2)
    #expect(taken(limiter) == 30)
    #expect(taken(limiter, after: 4) == 2)
  }

  @Test func anotherRateIsDivided() {
    let limiter = RateLimiter<String>(rate: 100, burst: 4, of: 2)
    limiter.change(rate: 2, burst: 4)
    #expect(taken(limiter) == 4)
    limiter.change(rate: 0, burst: 4)
    #expect(taken(limiter) == 1000)
  }

  @Test func oneMayComeInAnyCase() {
    #expect(taken(RateLimiter<String>(rate: 1, burst: 1, of: 4)) == 1)
  }
}
