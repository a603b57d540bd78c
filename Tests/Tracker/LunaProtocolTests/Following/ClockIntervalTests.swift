import LunaProtocol
import LunaTesting
import Testing

struct ClockIntervalTests {
  /// PROTOCOL.md, 11.2: a period is a candidate exactly when its sighting is not `stepped`.
  @Test func candidatesAreWhatDoesNotStep() {
    var random = Seeded(12)
    for _ in 0..<3000 {
      let start = Int64.random(in: 0..<2_000_000_000_000, using: &random)
      let low = Int64.random(in: -3_000_000..<3_000_000, using: &random)
      let interval = ClockInterval(
        low: low, high: low + Int64.random(in: 0..<3_000_000, using: &random), time: start)
      let time = start + Int64.random(in: 0..<10_000_000_000, using: &random)
      let candidates = interval.candidates(at: time)
      let around = candidates.first.subtractingReportingOverflow(3)
      for period in (around.overflow ? 0 : around.partialValue)...candidates.last + 3 {
        var copy = interval
        let update = copy.update(period: period, at: time)
        #expect((update != .stepped) == candidates.contains(period))
        #expect(update == .updated || copy == interval)
      }
    }
  }

  @Test func updatesNeverWiden() {
    var random = Seeded(13)
    for _ in 0..<3000 {
      var interval = ClockInterval(onboardingTimestamp: 1_700_000_000)
      let time = interval.time + Int64.random(in: 0..<100_000_000_000, using: &random)
      let aged = interval.aged(to: time)
      let candidates = interval.candidates(at: time)
      let period = UInt32.random(in: candidates.first...candidates.last, using: &random)
      if interval.update(period: period, at: time) == .updated {
        #expect(aged.low <= interval.low && interval.low <= interval.high)
        #expect(interval.high <= aged.high && interval.time == time)
      }
    }
  }

  @Test func anyStateAndTimeGivesAnAnswer() {
    let extremes: [Int64] = [.min, -1, 0, 1, 1 << 53, .max]
    for low in extremes {
      for high in extremes {
        for time in extremes {
          for now in extremes {
            for ppm in extremes {
              var interval = ClockInterval(low: low, high: high, time: time)
              _ = interval.candidates(at: now, ppm: ppm)
              _ = interval.update(period: .max, at: now, ppm: ppm)
              _ = interval.update(period: 0, at: now, ppm: ppm)
            }
          }
        }
      }
    }
    for time in extremes {
      _ = Drift(period: .max, receivedAt: time)
      _ = WideSearch(at: time, onboardingTimestamp: .max)
      _ = try? QueryRange.periods(
        from: time, to: .max, clock: ClockInterval(onboardingTimestamp: 0),
        onboardingTimestamp: .max)
    }
  }
}
