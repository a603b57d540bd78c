import Testing

@testable import CommandSpec

@Suite struct DurationTests {
  @Test(arguments: [
    ("10", Duration.seconds(10)), ("10s", .seconds(10)), ("500ms", .milliseconds(500)),
    ("250us", .microseconds(250)), ("2m", .seconds(120)), ("2min", .seconds(120)),
    ("1h", .seconds(3600)), ("2d", .seconds(172_800)), ("1h30m", .seconds(5400)),
    ("1m30.5s", .milliseconds(90_500)), ("2.5m", .seconds(150)), ("0", .zero),
    ("0.001", .milliseconds(1)),
    ("36525d", .seconds(36_525 * 86_400)),
  ])
  func good(text: String, value: Duration) {
    #expect(DurationText.parse(text) == value)
  }

  @Test(arguments: [
    "", "s", "-1s", "+1s", "1 s", "1.s", ".5s", "1..5s", "1.2.3s", "10x", "1h30", "1s ", "1S",
    "99999999999s", "36526d", "36525d1s", "1.0000000001s", "１s", "1e3s", "٣s",
  ])
  func bad(text: String) {
    #expect(DurationText.parse(text) == nil)
  }
}
