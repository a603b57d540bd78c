import Bluetooth
import LunaCore
import LunaLocal
import LunaProtocol
import LunaTesting
import Testing

/// A simulated year of 20 trackers whose oscillators are as bad as they may be. With sightings every
/// few minutes all the year it takes the optimiser: `luna-bench check`, a step of scripts/test.
@Suite(.timeLimit(.minutes(10)))
struct YearTests {
  enum Habit: CaseIterable {
    case often, daily, monthly, yearly
  }

  @Test func noSightingIsMissedAndNoIntervalEmpty() throws {
    var generator = Seeded(2026)
    let start: Int64 = 1_700_000_123_000
    let year: Int64 = 366 * 86_400_000
    var trackers: [SimulatedTracker] = []
    for number in 0..<20 {
      let ppm = -195 + Double(number) * 393 / 19
      trackers.append(try SimulatedTracker(UInt64(number), onboarding: start, ppm: ppm))
    }
    var sightings: [(Int64, Int)] = []
    for number in trackers.indices {
      var time = start + 60_000
      while time < start + year {
        sightings.append((time, number))
        let pause: Int64 =
          switch Habit.allCases[number % 4] {
          // Often, but not all the year.
          case .often:
            time - start < 3 * 86_400_000
              ? Int64.random(in: 300_000...900_000, using: &generator) : 362 * 86_400_000
          case .daily: Int64.random(in: 80_000_000...90_000_000, using: &generator)
          case .monthly: Int64.random(in: 2_500_000_000...2_700_000_000, using: &generator)
          case .yearly: year - 120_000
          }
        time += pause
      }
    }
    sightings.sort { $0.0 < $1.0 }
    let follower = try TrackerFollower(trackers.map(\.device))
    var missed = 0
    for (time, number) in sightings {
      let updates = follower.hear(trackers[number].report(at: time))
      let own = updates.filter { $0.device.uuid == trackers[number].device.uuid }
      guard let update = own.last, update.event != .timedOut else {
        missed += 1
        continue
      }
      let clock = try #require(update.state.clock)
      #expect(clock.low <= clock.high)
      #expect(!update.state.isProvisional)
      let theta =
        trackers[number].ppm / 1e6 * Double(time - start) / 1000
      #expect(clock.low - 0.01 <= theta && theta <= clock.high + 0.01)
    }
    #expect(missed == 0)
    #expect(sightings.count > 3500)
    #expect(follower.counters.tracked == UInt64(sightings.count))
    #expect(follower.counters.foreign == 0)
    #expect(follower.takeProblems().isEmpty)
  }
}
