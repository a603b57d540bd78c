import LunaProtocol
import LunaTesting
import Testing

/// A year of trackers whose oscillators are off by as much as the bound allows, and whose rotations
/// are delayed at random: none is missed, and the truth is always in the interval.
struct FollowingSimulationTests {
  /// How often the owner comes by.
  enum Visits: String, CaseIterable, Sendable {
    case everyTenMinutes, daily, monthly, onceAYear

    func gap(_ random: inout Seeded) -> Int64 {
      switch self {
      case .everyTenMinutes: Int64.random(in: 300_000...900_000, using: &random)
      case .daily: Int64.random(in: 70_000_000...100_000_000, using: &random)
      case .monthly: Int64.random(in: 28...32, using: &random) * 86_400_000
      case .onceAYear: 366 * 86_400_000
      }
    }
  }

  static let year: Int64 = 366 * 86_400_000
  static let rates = Array(stride(from: Int64(-195), through: 198, by: 11)) + [198]

  @Test(arguments: Visits.allCases)
  func noSightingIsMissed(visits: Visits) {
    #expect(Self.rates.count >= 36)
    // Who comes every ten minutes sees nothing in a year that is not in a season.
    let span = visits == .everyTenMinutes ? Self.year / 4 : Self.year
    for (index, rate) in Self.rates.enumerated() {
      var random = Seeded(UInt64(index))
      let onboarding: UInt32 = 1_700_000_000
      var estimator = ClockEstimator(onboardingTimestamp: onboarding)
      let start = Int64(onboarding) * 1000
      // The tracker was given cut seconds, up to 1 s late.
      let offset = -Int64.random(in: 0...1999, using: &random)
      var delays: (period: Int64, delay: Int64) = (-1, 0)
      var now = start
      var missed = 0
      while now < start + span {
        now += visits.gap(&random)
        let clock = now + offset + (now - start) * rate / 1_000_000
        let target = clock / Period.milliseconds
        if delays.period != target {
          delays = (target, Int64.random(in: 0..<Period.rotationDelayLimit, using: &random))
        }
        let period = Rotation.periodOnAir(clock: clock, delay: delays.delay, minimumPeriod: 0)
        if !estimator.candidates(at: now).contains(period) { missed += 1 }
        let outcome = estimator.observe(period: period, at: now, isStatusVerified: true)
        let aged = estimator.interval.aged(to: now)
        if outcome != .unchanged && outcome != .updated { missed += 1 }
        if aged.low > clock - now || clock - now > aged.high { missed += 1 }
      }
      #expect(missed == 0, "\(rate) ppm")
    }
  }
}
