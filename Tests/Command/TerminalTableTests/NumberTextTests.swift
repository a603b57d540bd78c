import Testing

@testable import TerminalTable

@Suite struct NumberTextTests {
  @Test(arguments: [
    (0, "0"), (999_999, "999999"), (1_000_000, "1.0M"), (1_234_567, "1.2M"), (99_960_000, "100M"),
    (123_456_789, "123M"), (34_000_000_000, "34.0G"), (-1, "0"),
  ])
  func count(value: Int, text: String) { #expect(NumberText.count(value) == text) }

  @Test(
    arguments: [
      (0, "0"), (0.01, "<0.1"), (0.05, "0.1"), (9.84, "9.8"), (9.96, "10.0"), (99.94, "99.9"),
      (99.96, "100"), (2000, "2000"), (1e7, "10.0M"), (-1, "0"), (.nan, "0"), (.infinity, "0"),
    ] as [(Double, String)])
  func rate(value: Double, text: String) { #expect(NumberText.rate(value) == text) }

  @Test(
    arguments: [
      (0, "now"), (0.99, "now"), (1, "1s"), (59.9, "59s"), (60, "1m"), (3599, "59m"), (3600, "1h"),
      (86_399, "23h"), (86_400, "1d"), (1e12, "9999d"), (-5, "now"), (.infinity, "never"),
    ] as [(Double, String)])
  func age(value: Double, text: String) { #expect(NumberText.age(value) == text) }
}
