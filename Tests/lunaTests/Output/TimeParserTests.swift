import Bluetooth
import Testing

@testable import luna

@Suite struct TimeParserTests {
  @Test(arguments: [
    ("2026-11-21T10:00:00Z", 1_795_255_200_000_000), ("2026-11-21", 1_795_219_200_000_000),
    ("1795219200.25", 1_795_219_200_250_000), ("0", 0),
  ])
  func reads(_ text: String, _ microseconds: Int64) {
    #expect(TimeParser.parse(text)?.microseconds == microseconds)
  }

  @Test(arguments: ["", "2026-11", "2026-02-30", "2026-11-21T10:00", "1e3", "-1", "now"])
  func refuses(_ text: String) { #expect(TimeParser.parse(text) == nil) }
}
