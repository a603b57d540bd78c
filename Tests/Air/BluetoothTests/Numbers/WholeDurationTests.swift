import Bluetooth
import Testing

/// Durations in whole numbers, and moments that they lead to.
struct WholeDurationTests {
  static let most = Int64.max / 1_000_000
  static let cases: [(duration: Duration, expected: Int64)] = [
    (.zero, 0), (.nanoseconds(1_999), 1), (.nanoseconds(-1_999), -1),
    (.milliseconds(2_000_003), 2_000_003_000), (.milliseconds(-2_000_003), -2_000_003_000),
    (.seconds(most), most * 1_000_000), (.seconds(Int64.max), .max), (.seconds(-Int64.max), .min),
  ]

  @Test(arguments: WholeDurationTests.cases)
  func countsMicroseconds(_ duration: Duration, _ expected: Int64) {
    #expect(duration.wholeMicroseconds == expected)
  }

  @Test func isTheMostWhereAPartIsTooMuch() {
    let duration = Duration.seconds(WholeDurationTests.most) + .milliseconds(999)
    #expect(duration.wholeMicroseconds == .max)
  }

  @Test func countsMilliseconds() {
    #expect(Duration.microseconds(1_999).wholeMilliseconds == 1)
    #expect(Duration.microseconds(-1_999).wholeMilliseconds == -1)
    #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
  }

  @Test func roundsSecondsForPeople() {
    let rounded: [(Duration, Int64)] = [
      (.zero, 1), (.milliseconds(980), 1), (.milliseconds(1499), 1), (.milliseconds(1500), 2),
      (.seconds(150), 150), (.seconds(-3), 1), (.seconds(Int64.max), .max),
    ]
    for (duration, seconds) in rounded { #expect(duration.roundedSeconds == seconds) }
    let longest = Duration.seconds(Int64.max) + .milliseconds(999)
    #expect(longest.roundedSeconds == .max)
  }

  @Test func leadsToTheNearestMoment() {
    let moment = Timestamp(microseconds: 1000)
    #expect(moment.advanced(by: .milliseconds(1)) == Timestamp(microseconds: 2000))
    #expect(moment.advanced(by: .seconds(Int64.max)) == Timestamp(microseconds: .max))
    #expect(moment.advanced(by: .seconds(-Int64.max)) == Timestamp(microseconds: .min + 1000))
    let last = Timestamp(microseconds: .max)
    #expect(last.advanced(by: .microseconds(1)) == last)
    let first = Timestamp(microseconds: .min)
    #expect(first.advanced(by: .microseconds(-1)) == first)
  }
}
