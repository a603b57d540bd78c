import Foundation
import LunaProtocol
import LunaTesting
import Testing

struct ReportTimeTests {
  @Test func daysAreThoseOfTheCalendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    var random = Seeded(9)
    for _ in 0..<2000 {
      // From 1970 to 9999.
      let time = Int64.random(in: 0..<253_402_300_800_000, using: &random)
      let date = Date(timeIntervalSince1970: Double(time / 1000))
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let expected = String(
        format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      #expect(ReportTime.day(of: time) == expected)
    }
  }

  @Test(
    arguments: [
      (0, "1970-01-01"), (86_399_999, "1970-01-01"), (86_400_000, "1970-01-02"),
      (951_782_400_000, "2000-02-29"), (1_795_219_200_000, "2026-11-21"),
      (-1, "1969-12-31"), (4_102_444_800_000, "2100-01-01"),
    ] as [(Int64, String)])
  func days(time: Int64, day: String) {
    #expect(ReportTime.day(of: time) == day)
  }

  @Test func anyTimeHasADay() {
    for time in [Int64.min, .max, 1 << 53] { #expect(!ReportTime.day(of: time).isEmpty) }
  }

  @Test func plausibilityFollowsTheClock() {
    let start = Period.start(of: Anchor.period)
    #expect(!ReportTime.isPlausible(collectedAt: start - 70_000, period: Anchor.period))
    #expect(
      ReportTime.isPlausible(
        collectedAt: start - 70_000, period: Anchor.period, low: 0, high: 10_000))
    for time in [Int64.min, .max] {
      #expect(
        !ReportTime.isPlausible(collectedAt: time, period: 5, low: 0, high: 0, slack: 60_000))
      _ = ReportTime.isPlausible(collectedAt: time, period: .max, low: time, high: time)
    }
  }
}
