import LunaProtocol
import Testing

/// Clocks that are not as they should be; drifting ones stand in `FollowingSimulationTests`.
struct ClockEstimatorTests {
  private let onboarding: UInt32 = 1_700_000_000
  private let day: Int64 = 86_400_000

  private func estimator() -> ClockEstimator { ClockEstimator(onboardingTimestamp: onboarding) }

  private func period(_ clock: Int64) -> UInt32 {
    Rotation.periodOnAir(clock: clock, delay: 100_000, minimumPeriod: 0)
  }

  @Test func aReplayedPeriodStaysProvisional() {
    var estimator = estimator()
    let now = estimator.interval.time + 10 * day
    #expect(
      estimator.observe(period: period(now), at: now, isStatusVerified: true) == .unchanged)
    let before = estimator.interval
    let recorded = period(now - 3 * day)
    for minute in Int64(1)...60 {
      let outcome = estimator.observe(
        period: recorded, at: now + minute * 60_000, isStatusVerified: true)
      #expect(outcome == .provisional)
    }
    #expect(estimator.interval == before)
    #expect(estimator.provisional?.distinctPeriods == 1)
    #expect(
      estimator.observe(
        period: period(now + 4_000_000), at: now + 4_000_000, isStatusVerified: true)
        != .provisional)
    #expect(estimator.provisional == nil)
  }

  @Test(arguments: [-1, 1, 365] as [Int64])
  func aClockThatSteppedIsBelievedAfterThreePeriods(days: Int64) {
    var estimator = estimator()
    let step = days * day
    var now = estimator.interval.time + 30 * day
    var outcomes: [SightingOutcome] = []
    for _ in 0..<3 {
      outcomes.append(
        estimator.observe(period: period(now + step), at: now, isStatusVerified: true))
      now += Period.milliseconds
    }
    #expect(outcomes == [.provisional, .provisional, .promoted])
    #expect(estimator.candidates(at: now).contains(period(now + step)))
    #expect(estimator.interval.low <= step && step <= estimator.interval.high)
  }

  @Test func twoTrackersWithOneKeyDoNotMoveTheClock() {
    var estimator = estimator()
    var now = estimator.interval.time + day
    // The second one is a day behind; both are heard in every period.
    for _ in 0..<50 {
      let first = estimator.observe(period: period(now), at: now, isStatusVerified: true)
      #expect(first == .unchanged || first == .updated)
      let second = estimator.observe(
        period: period(now - day), at: now + 1000, isStatusVerified: true)
      #expect(second == .provisional)
      now += Period.milliseconds
    }
    #expect(estimator.candidates(at: now).contains(period(now)))
  }

  @Test func aReadingOfTheClockNeedsNoWitness() {
    var estimator = estimator()
    let now = estimator.interval.time + 30 * day
    _ = estimator.observe(period: period(now - day), at: now, isStatusVerified: true)
    #expect(estimator.provisional != nil)
    estimator.replace(
      with: ClockInterval(
        clockRead: UInt32((now - day) / 1000), sent: now + 100, answered: now + 300))
    #expect(estimator.provisional == nil)
    #expect(estimator.interval.low <= -day && -day <= estimator.interval.high)
    #expect(estimator.candidates(at: now + 1000).contains(period(now - day + 1000)))
  }
}
