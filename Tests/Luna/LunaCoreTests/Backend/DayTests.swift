import Bluetooth
import LunaCore
import Testing

@Suite struct DayTests {
  @Test func isReadAsItIsWritten() {
    for (text, number) in [("1970-01-01", 0), ("2026-11-21", 20_778), ("2000-02-29", 11_016)] {
      #expect(Day(text)?.number == Int32(number))
      #expect(Day(number: Int32(number)).description == text)
    }
    for text in [
      "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "2026-11-21Z", "+026-11-21", "",
    ] {
      #expect(Day(text) == nil, "\(text)")
    }
  }

  @Test func changesAtMidnight() {
    let midnight: Int64 = 20_779 * 86_400_000_000
    #expect(Day(Timestamp(microseconds: midnight - 1)) == Day("2026-11-21"))
    #expect(Day(Timestamp(microseconds: midnight)) == Day("2026-11-22"))
    #expect(Day(Timestamp(microseconds: -1)) == Day("1969-12-31"))
    #expect(Day(.unknown) < Day(number: 0))
    #expect(Day(number: 20_778) + 10 == Day("2026-12-01"))
  }
}
