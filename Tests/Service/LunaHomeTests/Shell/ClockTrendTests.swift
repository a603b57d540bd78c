import Testing

@testable import LunaHome

/// How long a clock has left.
@Suite struct ClockTrendTests {
  private func days(_ points: [(Double, Double)]) -> Double? {
    ClockTrend.daysLeft(
      points.map { (time: 1_780_000_000_000_000 + Int64($0.0 * 86_400e6), drift: $0.1) })
  }

  @Test func followsTheTrend() {
    // Two seconds a day: from 8 s there are 26 days to 60 s.
    #expect(days([(0, 0), (1, 2), (2, 4), (3, 6), (4, 8)]) == 26)
    // The other way it is 60 s early in the end.
    #expect(days([(0, 10), (1, 8), (2, 6), (3, 4), (4, 2)]) == 31)
    #expect(days([(0, 58), (3, 61)]) == 0)
    #expect(days([(0, 1), (5, 1)]) == 3650)
  }

  @Test func needsThreeDays() {
    #expect(days([]) == nil)
    #expect(days([(0, 1)]) == nil)
    #expect(days([(0, 1), (2.9, 5)]) == nil)
  }

  @Test func beginsAnewWhenTheClockWasSet() {
    #expect(days([(0, 40), (4, 44), (5, 0), (6, 1)]) == nil)
    #expect(days([(0, 40), (4, 44), (5, 0), (8, 3)]) == 57)
  }
}
