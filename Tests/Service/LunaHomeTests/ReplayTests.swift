import Foundation
import LunaJSON
import Testing

@testable import LunaHome

/// What rules would have done.
@Suite struct ReplayTests {
  static let file = """
    { "trackers": [ { "id": "t" } ],
      "places": [ { "id": "home", "latitude": 52.5, "longitude": 13.4, "radius": 80 } ],
      "rules": [
        { "id": "out", "when": [ { "exit": { "place": "home" } } ], "then": [ { "notify": {} } ] },
        { "id": "in", "when": [ { "enter": { "place": "home" } } ], "if": { "time": { "from": "20:00", "to": "22:00" } }, "then": [ { "notify": {} } ] },
        { "id": "bell", "when": [ { "message": "bell" } ], "then": [ { "buzz": {} } ] } ] }
    """

  private func outcomes(_ bytes: [UInt8], rule: String? = nil) throws -> [String] {
    let replay = try ReplayFile(bytes, who: "t")
    let configuration = HomeConfiguration(HomeFile(Self.file))
    return HomeReplay.outcomes(of: replay, with: configuration, rule: rule).map {
      switch $0 {
      case .firing(let one): "\(one.wall / 1_000_000) \(one.rule) fired"
      case .held(let one): "\(one.wall / 1_000_000) \(one.rule) \(one.why.rawValue)"
      }
    }
  }

  @Test func aWalk() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Files")
    let gpx = [UInt8](try Data(contentsOf: folder.appending(path: "walk.gpx")))
    #expect(try ReplayFile(gpx, who: "t").damaged == 1)
    // Out two minutes after the fix at 10:10, in at that of 10:35.
    let expected = ["1780308720 out fired", "1780310100 in condition"]
    #expect(try outcomes(gpx) == expected)
    #expect(try outcomes(gpx, rule: "in") == ["1780310100 in condition"])
  }

  /// Programs for maps write marked places without a time in front of a track, and some a byte order mark.
  @Test func aPlaceTakesNoTimeOfWhatFollowsIt() throws {
    let gpx = """
      <gpx><wpt lat="48.85" lon="2.35"><name>Paris</name></wpt><wpt lat="48.85" lon="2.35"/>
      <trk><trkseg><trkpt lat="52.5" lon="13.4"/><trkpt lat="52.5" lon="13.4"><ele>3</ele>
      <time> 2026-06-01T10:00:00 </time></trkpt></trkseg></trk></gpx>
      """
    let file = try ReplayFile([0xEF, 0xBB, 0xBF] + Array(gpx.utf8), who: "t")
    #expect(file.entries.map(\.wall) == [1_780_308_000_000_000])
    #expect(file.damaged == 3)
  }

  @Test func geoJSON() throws {
    func feature(_ latitude: Double, _ time: String) -> String {
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,\#(latitude)]},"#
        + #""properties":{"time":"2026-06-01T\#(time)Z","horizontalAccuracy":15}}"#
    }
    let text =
      #"{"type":"FeatureCollection","features":["#
      + [feature(52.5, "10:00:00"), feature(52.51, "10:10:00"), feature(52.51, "10:11:00")]
      .joined(separator: ",") + "]}"
    #expect(try outcomes(Array(text.utf8)) == ["1780308660 out fired"])
  }

  @Test func whatStartsNothingSaysWhy() throws {
    func why(_ input: String, _ rules: String, rule: String? = nil, from: Int64 = .min) throws
      -> String
    {
      let line = #"{"type":"input","time":"2026-06-01T10:00:00Z",\#(input)}"#
      let file = HomeFile(
        #"{ "trackers": [ { "id": "t" }, { "id": "u" } ], "rules": [ \#(rules) ] }"#)
      #expect(file.isUsable)
      return try ReplayFile(Array(line.utf8), who: "t").silence(
        of: rule, with: HomeConfiguration(file), from: from)
    }
    let frame = #""kind":"frame","tracker":"u","rssi":-60"#
    func rule(_ id: String, _ when: String, _ more: String = "") -> String {
      #"{ "id": "\#(id)", \#(more) "when": [ \#(when) ], "then": [ { "ping": {} } ] }"#
    }
    let comes = #"{ "beaconIn": { "who": "t" } }"#
    #expect(try why(frame, "") == "the home's file has no rules")
    let off = rule("in", comes, #""enabled": false,"#)
    #expect(try why(frame, off) == "all rules are off (enabled)")
    let both = off + ", " + rule("go", #"{ "message": "go" }"#)
    #expect(try why(frame, both, rule: "in") == "the rule is off (enabled)")
    #expect(
      try why(frame, rule("in", comes)) == "it tells of u, and what is judged waits for t")
    #expect(
      try why(#""kind":"alive""#, rule("in", comes))
        == "it tells of no tracker, and what is judged waits for t")
    #expect(try why(frame, rule("in", comes), from: .max) == "nothing in it is of that time")
    // What waits for others than trackers may have been started by anything.
    let started = "nothing in it starts one; what is so at first, as who is there, is no event"
    #expect(try why(frame, both) == started)
    #expect(try why(frame, rule("in", #"{ "beaconIn": {} }"#)) == started)
    let silent = ReplayFile(entries: [])
    #expect(
      silent.silence(with: HomeConfiguration(HomeFile(Self.file)))
        == "nothing in it is of a tracker of this home")
  }

  @Test func aDay() throws {
    let text = """
      {"type":"input","time":"2026-06-01T10:00:00Z","kind":"message","name":"bell"}
      {"type":"other"}
      {"type":"input","time":"2026-06-01T10:00:01Z","kind":"message","name":"bell"}
      damaged
      {"type":"input","time":"2026-06-01T10:00:02Z","kind":"unheard"}
      """
    #expect(
      try outcomes(Array(text.utf8)) == ["1780308000 bell fired", "1780308001 bell cooldown"])
    #expect(try ReplayFile(Array(text.utf8), who: "t").damaged == 2)
  }

  /// Nobody can be there. A track of such places alone is none: who relies on it is to know.
  @Test(arguments: [("91", "13"), ("nan", "13"), ("52", "181"), ("52", "-inf")])
  func placesThatThereAreNot(_ latitude: String, _ longitude: String) throws {
    func point(_ latitude: String, _ longitude: String) -> String {
      #"<trkpt lat="\#(latitude)" lon="\#(longitude)"><time>2026-06-01T10:00:00Z</time></trkpt>"#
    }
    let none = "<gpx>" + point(latitude, longitude) + "</gpx>"
    #expect(throws: FormatError.self) { _ = try ReplayFile(Array(none.utf8), who: "t") }
    let one = "<gpx>" + point(latitude, longitude) + point("52", "13") + "</gpx>"
    let file = try ReplayFile(Array(one.utf8), who: "t")
    #expect(file.entries.count == 1 && file.damaged == 1)
  }

  /// Lines are not read: their times are no part of the format.
  @Test(arguments: [
    #"{"type":"Point","coordinates":[13,91]}"#, #"{"type":"Point","coordinates":["a",null]}"#,
    #"{"type":"LineString","coordinates":[[13,52],[13,53]]}"#,
  ])
  func geoJSONWithoutAPlace(_ geometry: String) {
    let text =
      #"{"type":"Feature","geometry":"# + geometry
      + #","properties":{"time":"2026-06-01T10:00:00Z"}}"#
    #expect(throws: FormatError.self) { _ = try ReplayFile(Array(text.utf8), who: "t") }
  }

  @Test(arguments: ["", "x", "<gpx/>", "{}", "[]", #"{"type":"FeatureCollection"}"#])
  func nothing(_ text: String) {
    let file = try? ReplayFile(Array(text.utf8), who: "t")
    #expect(file?.entries.isEmpty ?? true)
  }

  @Test func nextRuns() {
    let file = HomeFile(
      #"{"schedules":[{"id":"a","when":[{"time":{"at":["08:00","20:00"]}}],"then":[{"ping":{}}]},"#
        + #"{"id":"b","when":[{"time":{"every":"6h","from":"03:00"}}],"then":[{"ping":{}}]}]}"#)
    let runs = HomeSchedule.runs(of: HomeConfiguration(file), after: 1_780_308_000, count: 2)
    #expect(
      runs.map { "\($0.rule) \($0.at - 1_780_272_000)" } == [
        "b 54000", "a 72000", "b 75600", "a 115200",
      ])
  }
}
