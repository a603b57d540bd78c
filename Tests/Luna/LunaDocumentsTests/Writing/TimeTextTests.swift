import Bluetooth
import Foundation
import Testing

@testable import LunaDocuments

@Suite struct TimeTextTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000Z"), (1_767_323_045_678_901, "2026-01-02T03:04:05.678901Z"),
    (-1, "1969-12-31T23:59:59.999999Z"), (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
    (4_107_542_399_999_999, "2100-02-28T23:59:59.999999Z"),
    (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
  ])
  func printsMoments(_ microseconds: Int64, _ text: String) {
    var time = TimeText()
    #expect(time.string(Timestamp(microseconds: microseconds)) == text)
  }

  @Test func agreesWithFoundationOverTheCenturies() {
    let formatter = ISO8601DateFormatter()
    var time = TimeText()
    for day in stride(from: -20_000, through: 60_000, by: 37) {
      let seconds = day * 86_400 + day % 86_400
      let text = time.string(Timestamp(microseconds: Int64(seconds) * 1_000_000))
      let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(text == expected.replacingOccurrences(of: "Z", with: ".000000Z"))
    }
  }

  @Test(arguments: [Int64.min, .min + 1, .max, -62_167_219_200_000_001])
  func survivesEveryMoment(_ microseconds: Int64) {
    var time = TimeText()
    #expect(time.string(Timestamp(microseconds: microseconds)).utf8.count == TimeText.count)
  }
}
