import LunaDocuments
import LunaJSON
import Testing

@testable import LunaTables

@Suite("What the watch of a home knows")
struct SuspectLinesTests {
  private static let one: JSONObject = [
    "type": "suspect", "id": "tile:c0ffee000001", "time": "2026-11-21T10:00:00.000000Z",
    "grade": "alarm", "confidence": .real(0.98), "trips": 2, "metres": 8000, "minutes": 40,
    "reasons": ["madeTrips"], "excluded": .null, "rssi": -60,
  ]
  private static let report: JSONObject = [
    "since": "2026-11-20T10:00:00.000000Z", "suspects": [.object(one)], "excluded": [],
    "listened": ["hours": .real(24.5), "trips": 4, "gaps": 1, "gapMinutes": 3],
    "cannotFind": ["silent"],
  ]

  private func lines(_ form: Listing.Form, _ write: (SuspectLines) -> Void) -> [String] {
    let output = OutputBuffer()
    write(SuspectLines(output, form, .clock(ClockText(UTCZone()))))
    return String(decoding: output.take(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("The list ends with what was listened to and what cannot be found")
  func lists() {
    let text = lines(.table) { $0.list(Self.report) }
    #expect(text.count == 4)
    #expect(text[1].contains("tile:c0ffee000001") && text[1].contains("2026-11-21 10:00:00"))
    #expect(
      text[2] == "Listened for 24.5 hours and 4 trips since 2026-11-20 10:00:00 (UTC); 1 gaps of "
        + "3 minutes in all.")
    #expect(text[3] == WatchLines.cannotFind)
    let json = lines(.jsonl) { $0.list(Self.report) }
    #expect(json.count == 2 && json[1].contains("\"cannotFind\":[\"silent\"]"))
    #expect(
      lines(.csv) { $0.list(Self.report) } == [
        "id,time,told,grade,family,confidence,trips,places,metres,minutes,reasons,rssi,excluded,"
          + "tracker",
        "tile:c0ffee000001,2026-11-21T10:00:00.000000Z,,alarm,,0.98,2,,8000,40,madeTrips,-60,,",
      ])
  }

  @Test("One is shown with its reasons in words")
  func shows() {
    let text = lines(.table) { $0.show(Self.one) }
    #expect(
      text == [
        "tile:c0ffee000001: alarm, found 2026-11-21 10:00:00 (UTC)",
        "2 trips, 8000 m, 40 min, 98 % sure", "- came along on two trips",
        "Signal -60 dBm",
      ])
  }
}
