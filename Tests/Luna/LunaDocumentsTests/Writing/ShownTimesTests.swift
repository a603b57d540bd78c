import Bluetooth
import LunaCore
import LunaDocuments
import Testing

@Suite struct ShownTimesTests {
  private let time: Timestamp

  init() throws { time = try #require(Timestamp(rfc3339: "2026-07-01T23:04:05.678901Z")) }

  @Test func areOnTheClocksOfAPersonAndSayWhich() {
    let times = ShownTimes.clock(ClockText(GivenTimeTests.Berlin()))
    #expect(times.moment(time) == "2026-07-02 01:04:05 (Berlin)")
    #expect(times.cell(time) == "2026-07-02 01:04:05")
    #expect(times.head("TIME") == "TIME (Berlin)")
  }

  @Test func areInUTCWhereAPersonAsksForIt() {
    let times = ShownTimes.clock(ClockText(UTCZone()))
    #expect(times.moment(time) == "2026-07-01 23:04:05 (UTC)")
    #expect(times.head("TIME") == "TIME (UTC)")
  }

  @Test func areDataForPrograms() {
    #expect(ShownTimes.data.moment(time) == "2026-07-01T23:04:05.678901Z")
    #expect(ShownTimes.data.cell(time) == "2026-07-01T23:04:05.678901Z")
    #expect(ShownTimes.data.head("TIME") == "TIME")
  }
}
