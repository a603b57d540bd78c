import Bluetooth
import Testing

@testable import LunaDocuments

@Suite struct TimeParserTests {
  @Test(arguments: [
    ("2026-01-02T03:04:05.678901Z", 1_767_323_045_678_901), ("2026-01-02", 1_767_312_000_000_000),
    ("1970-01-01", 0), ("1767323045", 1_767_323_045_000_000), ("0.5", 500_000),
  ])
  func readsTimesDatesAndSeconds(_ text: String, _ microseconds: Int64) {
    #expect(TimeParser.parse(text) == Timestamp(microseconds: microseconds))
  }

  @Test(arguments: [
    "", "now", "2026-02-30", "2026-1-2", "2026-01-02T", "1.2.3", "-1", "1.", "12:30",
  ])
  func refusesOtherText(_ text: String) { #expect(TimeParser.parse(text) == nil) }
}
