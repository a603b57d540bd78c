import Foundation
import Testing

@testable import LunaHome

/// Who enters and leaves places.
@Suite struct PlaceTests {
  static let file = """
    { "trackers": [ { "id": "t" } ],
      "places": [ { "id": "home", "latitude": 52.5, "longitude": 13.4, "radius": 80 },
                  { "id": "room", "latitude": 52.5, "longitude": 13.4, "radius": 40 } ],
      "rules": [
        { "id": "in", "cooldown": "0s", "maxPerHour": 3600, "when": [ { "enter": { "place": "home" } }, { "enter": { "place": "room" } } ], "then": [ { "ping": {} } ] },
        { "id": "out", "cooldown": "0s", "maxPerHour": 3600, "when": [ { "exit": { "place": "home" } }, { "exit": { "place": "room" } } ], "then": [ { "ping": {} } ] },
        { "id": "stay", "cooldown": "0s", "when": [ { "dwell": { "place": "home", "after": "30m" } } ], "then": [ { "ping": {} } ] } ] }
    """

  @Test func firstAnswerIsNoEvent() {
    var bench = EngineBench(Self.file)
    #expect(bench.fix("t", north: 0).fired == [])
    bench.wait(600)
    #expect(bench.fix("t", north: 5000).fired == [])
    bench.wait(60)
    #expect(bench.fix("t", north: 5000).causes == ["exit home", "exit room"])
  }

  /// A clock that was a year ahead for a moment: else nobody would come or go for a year.
  @Test func aClockThatIsSetBackHoldsNobody() {
    var bench = EngineBench(Self.file)
    let year: Int64 = 365 * 86_400_000_000
    bench.wall += year
    bench.fix("t", north: 0)
    bench.wait(60)
    bench.wall -= year
    bench.fix("t", north: 0)
    bench.wait(600)
    bench.fix("t", north: 5000)
    bench.wait(60)
    #expect(bench.fix("t", north: 5000).causes == ["exit home", "exit room"])
  }

  @Test func aBadFixMovesNobody() {
    var bench = EngineBench(Self.file)
    bench.fix("t", north: 0)
    for _ in 0..<20 {
      bench.wait(60)
      #expect(bench.fix("t", north: 500, accuracy: 500).fired == [])
    }
    #expect(bench.wait(3600).fired == [])
  }

  @Test func oneFixWaitsForLeaveAfter() {
    var bench = EngineBench(Self.file)
    bench.fix("t", north: 0)
    bench.wait(60)
    #expect(bench.fix("t", north: 1000).fired == [])
    #expect(bench.wait(119).fired == [])
    #expect(bench.wait(2).causes == ["exit home", "exit room"])
  }

  @Test func aFixOfTheOldSideCancels() {
    var bench = EngineBench(Self.file)
    bench.fix("t", north: 0)
    bench.wait(60)
    bench.fix("t", north: 1000)
    bench.wait(60)
    bench.fix("t", north: 0)
    #expect(bench.wait(3600).fired == [])
  }

  @Test func entersEndWithTheSmallest() {
    var bench = EngineBench(Self.file)
    bench.fix("t", north: 5000)
    bench.wait(600)
    #expect(bench.fix("t", north: 0).causes == ["enter home", "enter room"])
    #expect(bench.wait(1799).fired == [])
    #expect(bench.wait(2).fired == ["stay"])
    #expect(bench.wait(7200).fired == [])
  }

  /// Whatever the order of the file: one who goes from one place to another has left the first one then.
  @Test(arguments: [false, true]) func exitsComeBeforeEnters(isByTime: Bool) {
    let circles: [(String, Double, Int)] = [
      ("desk", 180, 40), ("porch", 0, 80), ("garden", 120, 80), ("house", -20, 60),
    ]
    let places = circles.map { id, north, radius in
      """
      { "id": "\(id)", "latitude": \(52.5 + north / 111_267), "longitude": 13.4, "radius": \(radius), "enterAfter": "2m" }
      """
    }
    let rules = ["enter", "exit"].map { kind in
      let when = circles.map { "{ \"\(kind)\": { \"place\": \"\($0.0)\" } }" }
      return """
        { "id": "\(kind)", "cooldown": "0s", "when": [ \(when.joined(separator: ", ")) ], "then": [ { "ping": {} } ] }
        """
    }
    var bench = EngineBench(
      """
      { "trackers": [ { "id": "t" } ], "places": [ \(places.joined(separator: ", ")) ],
        "rules": [ \(rules.joined(separator: ", ")) ] }
      """)
    #expect(bench.fix("t", north: -50).fired == [])
    bench.wait(60)
    #expect(bench.fix("t", north: 180).fired == [])
    bench.wait(60)
    bench.lines = []
    let effects = isByTime ? bench.wait(61) : bench.fix("t", north: 180)
    #expect(effects.causes == ["exit porch", "exit house", "enter garden", "enter desk"])
    // It is told where it is, and not that it was away between the two.
    let zones = bench.lines.filter { $0.contains("\"zone\"") }
    #expect(zones.count == 1 && zones[0].contains("\"desk\""))
  }

  /// Nobody came or went: a person drew a circle.
  @Test func placesMadeAndEditedAroundATrackerAreNoEvents() {
    let home = #"{ "id": "home", "latitude": 52.5, "longitude": 13.4, "radius": 80 }"#
    func edited(_ place: String) -> HomeConfiguration {
      EngineBench(Self.file.replacing(home, with: place)).engine.configuration
    }
    var bench = EngineBench(#"{ "trackers": [ { "id": "t" } ] }"#)
    bench.fix("t", north: 0)
    bench.wait(60)
    bench.fix("t", north: 0)
    // Made around it; moved away, back to it, and made so small and so large that it is on another side each time.
    let edits = [
      home, home.replacing("52.5", with: "52.6"), home,
      home.replacing("52.5", with: "52.501").replacing("80", with: "30"),
      home.replacing("52.5", with: "52.501").replacing("80", with: "400"), home,
    ]
    for edit in edits {
      bench.engine = bench.engine.reloaded(edited(edit))
      var fired = bench.take(.clock).fired
      for _ in 0..<3 {
        fired += bench.wait(1500).fired
        fired += bench.fix("t", north: 0).fired
      }
      #expect(fired == [], "\(edit)")
    }
    // Not even of one who was about to leave the place as it was.
    bench.wait(60)
    bench.fix("t", north: 1000)
    bench.engine = bench.engine.reloaded(edited(home.replacing("80", with: "2000")))
    #expect((bench.take(.clock) + bench.wait(600)).causes == ["exit room"])
    #expect(bench.fix("t", north: 1000).fired == [])
    // Who goes then has gone.
    bench.wait(60)
    bench.fix("t", north: 5000)
    bench.wait(60)
    #expect(bench.fix("t", north: 5000).causes == ["exit home"])
  }

  @Test func whoLeavesTogetherIsToldInTheOrderOfTheFile() {
    let several = (0..<9).map { "{ \"id\": \"t\($0)\" }" }.joined(separator: ", ")
    var bench = EngineBench(Self.file.replacing("{ \"id\": \"t\" }", with: several))
    for number in 0..<9 { bench.fix("t\(number)", north: 0) }
    bench.wait(60)
    for number in (0..<9).reversed() { bench.fix("t\(number)", north: 1000) }
    let trackers: [String] = bench.wait(121).compactMap { effect in
      if case .firing(let firing) = effect { firing.cause.tracker } else { nil }
    }
    #expect(trackers == (0..<18).map { "t\($0 / 2)" })
    let last = bench.engine.configuration.trackers[8]
    #expect(bench.engine.value("zone", of: last) == PropertyValue.text("away"))
  }

  @Test func tooFastIsNotBelievedAlone() {
    var bench = EngineBench(Self.file)
    bench.fix("t", north: 0)
    bench.wait(10)
    #expect(bench.fix("t", north: 50_000).fired == [])
    bench.wait(10)
    #expect(bench.fix("t", north: 0).fired == [])
    #expect(bench.wait(3600).fired == [])
    bench.fix("t", north: 0)
    bench.wait(10)
    bench.fix("t", north: 50_000)
    bench.wait(10)
    #expect(bench.fix("t", north: 50_100).causes == ["exit home", "exit room"])
  }

  @Test func restartsAreNoEvents() throws {
    var bench = EngineBench(Self.file)
    bench.fix("t", north: 0)
    bench.wait(600)
    bench.engine = HomeEngine(
      bench.engine.configuration, try HomeState(json: bench.engine.state.json))
    bench.boot = 5_000_000
    bench.wall += 3_600_000_000
    #expect(bench.take(.start).fired == [])
    #expect(bench.fix("t", north: 5000).fired == [])
    bench.wait(60)
    let effects = bench.fix("t", north: 5000)
    #expect(effects.causes == ["exit home", "exit room"])
    for case .firing(let firing) in effects { #expect(firing.cause.late) }
  }

  /// A source of numbers that is the same each time.
  struct Dice {
    var state: UInt64
    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / 9_007_199_254_740_992
    }
    /// Of a normal distribution: the sum of twelve.
    mutating func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + next() } }
  }

  @Test(arguments: [0.0, 30, 60, 75]) func thirtyDaysWithoutAnEvent(north: Double) {
    let room = #"{ "id": "room", "latitude": 52.5, "longitude": 13.4, "radius": 40 }"#
    let large = #"{ "id": "room", "latitude": 52.5, "longitude": 13.4, "radius": 400 }"#
    var bench = EngineBench(Self.file.replacing(room, with: large))
    var dice = Dice(state: 7)
    var fired: [String] = []
    for _ in 0..<30 * 24 * 12 {
      fired += bench.wait(300).fired
      let (chance, angle) = (dice.next(), dice.next() * 2 * Double.pi)
      let (off, accuracy): (Double, Double) =
        chance < 0.02 ? (500, 500) : chance < 0.03 ? (2000, 3000) : (0, 65)
      fired +=
        bench.fix(
          "t", north: north + (off > 0 ? off * cos(angle) : dice.normal() * 25),
          east: off > 0 ? off * sin(angle) : dice.normal() * 25, accuracy: accuracy
        ).fired
    }
    #expect(fired == [])
  }

  @Test func aHundredWalks() {
    var bench = EngineBench(Self.file)
    var dice = Dice(state: 11)
    var causes = bench.fix("t", north: 0).causes
    for _ in 0..<100 {
      for metres in [0.0, 200, 400, 600, 800, 1000, 800, 600, 400, 200, 0, 0, 0] {
        causes += bench.wait(90).causes
        causes += bench.fix("t", north: metres + dice.normal() * 8, east: dice.normal() * 8).causes
      }
    }
    let home = causes.filter { $0.hasSuffix("home") && !$0.hasPrefix("dwell") }
    #expect(home == (0..<200).map { $0.isMultiple(of: 2) ? "exit home" : "enter home" })
  }

  /// To the metre over a few hundred kilometres, and by two in a million beyond.
  @Test func distances() throws {
    // By geographiclib 2.0 (distances.py).
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Files/distances.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    for line in lines {
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      try #require(numbers.count == 5)
      let found = Geodesy.distance(numbers[0], numbers[1], numbers[2], numbers[3])
      let metres = numbers[4]
      #expect(abs(found - metres) < 0.01 + metres / 500_000, "\(line)")
    }
    #expect(lines.count == 200)
    #expect(Geodesy.distance(1, 2, 1, 2) == 0)
  }
}
