import LunaDocuments
import LunaJSON
import Testing

@testable import LunaCLI

@Suite struct FleetTextTests {
  private let value = JSONValue.string("2026-07-01T23:04:05.678901Z")
  private let clock = ClockText(UTCZone())

  @Test func showsPeopleTheirClocks() {
    #expect(FleetText.time(value, clock) == "2026-07-01 23:04:05")
    #expect(FleetText.moment(value, .clock(clock)) == "2026-07-01 23:04:05 (UTC)")
  }

  @Test func aListSaysWhoIsNotWellAndWhy() {
    let reason = { (code: JSONValue) -> JSONValue in
      ["code": code, "text": "its disk has 1 MiB left"]
    }
    let gateway: JSONObject = [
      "id": "0123456789abcdef", "name": "kitchen", "state": "online", "verdict": "bad",
      "tags": ["a", "b"], "seenAt": value, "reasons": .array([reason("diskFull"), reason("hot")]),
    ]
    #expect(
      FleetListCommand.row(gateway, clock) == [
        "kitchen", "online", "bad", "diskFull, hot", "-", "a, b", "2026-07-01 23:04:05",
        "0123456789abcdef",
      ])
    #expect(FleetListCommand.row(["state": "never"], clock)[2...3] == ["-", "-"])
  }

  @Test func aLogHasTheTimeAsData() {
    #expect(FleetText.moment(value, .data) == "2026-07-01T23:04:05.678901Z")
  }

  @Test func whatIsNoTimeIsShownAsItIs() {
    #expect(FleetText.moment(.string("soon\u{1B}"), .clock(clock)) == "soon\\x1b")
    #expect(FleetText.time(nil, clock) == "-")
  }
}
