import Testing

@testable import LunaHome

/// Who is heard.
@Suite struct PresenceTests {
  static let file = """
    { "trackers": [ { "id": "t" } ], "rules": [
        { "id": "in", "cooldown": "0s", "when": [ { "beaconIn": {} } ], "then": [ { "ping": {} } ] },
        { "id": "out", "cooldown": "0s", "when": [ { "beaconOut": {} } ], "then": [ { "ping": {} } ] } ] }
    """

  /// Frames each so many seconds, with somebody else around each second.
  private func hear(_ bench: inout EngineBench, every: Double, for seconds: Double) -> [String] {
    var fired: [String] = []
    var next = 0.0
    var time = 0.0
    while time < seconds {
      if time >= next {
        fired += bench.frame("t").fired
        next += every
      } else {
        fired += bench.take(.alive).fired
      }
      fired += bench.wait(min(every, 1)).fired
      time += min(every, 1)
    }
    return fired
  }

  private func silence(_ bench: inout EngineBench, _ seconds: Int) -> [String] {
    (0..<seconds).reduce(into: [String]()) { fired, _ in
      fired += bench.take(.alive).fired
      fired += bench.wait(1).fired
    }
  }

  @Test(arguments: [0.1, 1, 10]) func comesAndGoes(_ every: Double) {
    var bench = EngineBench(Self.file)
    // The first time sets the state.
    #expect(hear(&bench, every: every, for: 120) == [])
    #expect(silence(&bench, 119 - Int(every)) == [])
    #expect(silence(&bench, 10) == ["out"])
    #expect(silence(&bench, 600) == [])
    #expect(hear(&bench, every: every, for: 30) == ["in"])
  }

  @Test func whoStaysIsNotToldWithEveryFrame() {
    var bench = EngineBench(Self.file)
    func said() -> Int64? { bench.engine.state.trackers["t"]?.properties["present"]?.said }
    _ = hear(&bench, every: 1, for: 10)
    let first = said()
    _ = hear(&bench, every: 1, for: 60)
    #expect(first != nil && said() == first)
    #expect(bench.engine.isPresent("t") == true)
    // Who goes and comes is told.
    _ = silence(&bench, 130)
    let gone = said()
    _ = hear(&bench, every: 1, for: 10)
    #expect(gone != first && said() != gone)
  }

  @Test func deadReceiversAreNoAbsence() {
    var bench = EngineBench(Self.file)
    _ = hear(&bench, every: 1, for: 60)
    // Nobody at all is heard.
    #expect(bench.wait(3600).fired == [])
    #expect(bench.engine.isPresent("t") == nil)
    // Others are heard again: the time begins anew.
    #expect(silence(&bench, 115) == [])
    #expect(silence(&bench, 10) == ["out"])
  }

  /// While nobody could be heard it was unknown: it has not lasted, though the tracker was away before and after.
  @Test(arguments: [
    #""beaconOut": {}"#, #""property": { "property": "present", "is": "no" }"#,
  ]) func whatADeadReceiverHidHasNotLasted(trigger: String) {
    let text = Self.file.replacing(#""id": "out","#, with: #""id": "out", "for": "10m","#)
      .replacing(#""beaconOut": {}"#, with: trigger)
    var bench = EngineBench(text)
    _ = hear(&bench, every: 1, for: 60)
    #expect(silence(&bench, 300) == [])
    bench.take(.receiver(isScanning: false))
    bench.wait(60)
    bench.take(.receiver(isScanning: true))
    #expect(silence(&bench, 900) == [])
    // The next time it lasts.
    #expect(hear(&bench, every: 1, for: 60) == ["in"])
    #expect(silence(&bench, 700) == [])
    #expect(silence(&bench, 40) == ["out"])
  }

  /// A thermostat is never heard, which keeps nobody at home; a tracker that was not heard yet may be there.
  @Test func whatCannotBeHeardIsNobody() {
    let rules = ["own", "warm", "new"].map { tag in
      #"{ "id": "\#(tag)", "cooldown": "0s", "when": [ { "message": "m" } ], "#
        + #""if": { "nobodyHome": { "tag": "\#(tag)" } }, "then": [ { "ping": {} } ] }"#
    }
    var bench = EngineBench(
      """
      { "trackers": [ { "id": "t", "tags": [ "own" ] }, { "id": "heating", "tags": [ "own", "warm" ] },
          { "id": "u", "device": "d", "tags": [ "new" ] } ], "rules": [ \(rules.joined(separator: ", ")) ] }
      """)
    #expect(bench.take(.message("m")).held == ["own unknown", "warm unknown", "new unknown"])
    _ = hear(&bench, every: 1, for: 60)
    #expect(bench.take(.message("m")).held == ["own condition", "warm unknown", "new unknown"])
    _ = silence(&bench, 130)
    let effects = bench.take(.message("m"))
    #expect(effects.fired == ["own"] && effects.held == ["warm unknown", "new unknown"])
  }

  @Test func adapterPulled() {
    var bench = EngineBench(Self.file)
    _ = hear(&bench, every: 1, for: 60)
    bench.take(.receiver(isScanning: false))
    #expect(bench.engine.isPresent("t") == nil)
    #expect(bench.wait(3600).fired == [])
    bench.take(.receiver(isScanning: true))
    #expect(hear(&bench, every: 1, for: 60) == [])
    #expect(bench.engine.isPresent("t") == true)
  }

  @Test(arguments: [40, 100, 3600]) func stoppedProcessesHaveHeardNobody(_ seconds: Int64) {
    var bench = EngineBench(Self.file)
    _ = hear(&bench, every: 1, for: 60)
    _ = silence(&bench, 100)
    bench.wall += seconds * 1_000_000
    bench.boot += seconds * 1_000_000
    #expect(bench.take(.alive).fired == [])
    #expect(silence(&bench, 50) == [])
  }

  @Test func restartsAreNoEvents() throws {
    var bench = EngineBench(Self.file)
    _ = hear(&bench, every: 1, for: 60)
    bench.engine = HomeEngine(
      bench.engine.configuration, try HomeState(json: bench.engine.state.json))
    bench.boot = 0
    bench.wall += 60_000_000
    #expect(bench.take(.start).fired == [])
    #expect(hear(&bench, every: 1, for: 60) == [])
  }

  @Test func whoIsThereIsToldOnceAfterEachStart() throws {
    var bench = EngineBench(Self.file)
    func told() -> [String] { bench.lines.filter { $0.contains("\"present\"") } }
    _ = hear(&bench, every: 1, for: 60)
    #expect(told().count == 1)
    bench.engine = HomeEngine(
      bench.engine.configuration, try HomeState(json: bench.engine.state.json))
    bench.boot = 0
    bench.wall += 60_000_000
    bench.lines = []
    bench.take(.start)
    #expect(told() == [])
    #expect(hear(&bench, every: 1, for: 60) == [])
    #expect(told().count == 1 && told()[0].contains("\"yes\""))
  }

  /// Else who is away would be unknown until it comes, and a rule that asks whether nobody is at home never run.
  @Test(arguments: [false, true]) func whoWasAwayIsKnownToBeAgain(isRestarted: Bool) throws {
    var bench = EngineBench(Self.file)
    _ = hear(&bench, every: 1, for: 60)
    #expect(silence(&bench, 130) == ["out"])
    #expect(bench.engine.isPresent("t") == false)
    if isRestarted {
      bench.engine = HomeEngine(
        bench.engine.configuration, try HomeState(json: bench.engine.state.json))
      bench.take(.start)
    } else {
      bench.take(.receiver(isScanning: false))
      bench.wait(600)
      bench.take(.receiver(isScanning: true))
    }
    #expect(silence(&bench, 110) == [])
    #expect(bench.engine.isPresent("t") == nil)
    bench.lines = []
    // It has not gone a second time, and that it is away is told once.
    #expect(silence(&bench, 60) == [])
    #expect(bench.engine.isPresent("t") == false)
    #expect(bench.lines.filter { $0.contains("\"present\"") }.count == 1)
    #expect(hear(&bench, every: 1, for: 10) == ["in"])
  }

  /// A receiver that was dead is no reason to take weak frames for silence.
  @Test func whoIsHeardWeaklyAfterADeadReceiverStays() {
    let text = Self.file.replacing("\"beaconOut\": {}", with: "\"beaconOut\": { \"minRssi\": -70 }")
    var bench = EngineBench(text)
    _ = hear(&bench, every: 1, for: 60)
    bench.take(.receiver(isScanning: false))
    bench.wait(600)
    bench.take(.receiver(isScanning: true))
    var fired: [String] = []
    for _ in 0..<300 {
      fired += bench.frame("t", -73).fired
      fired += bench.wait(1).fired
    }
    #expect(fired == [])
  }

  @Test(arguments: [0.1, 1, 10]) func noiseDoesNotFlap(every: Double) {
    let text = Self.file.replacing("\"beaconIn\": {}", with: "\"beaconIn\": { \"minRssi\": -70 }")
      .replacing("\"beaconOut\": {}", with: "\"beaconOut\": { \"minRssi\": -70 }")
    var bench = EngineBench(text)
    var dice = PlaceTests.Dice(state: 17)
    var fired: [String] = []
    for step in 0..<4000 {
      // It comes; is weak for longer than it takes to go; then anything between the two.
      let noise = step < 2 ? 0 : step < 2000 ? 6 : Int(dice.next() * 7)
      fired += bench.frame("t", -70 - noise).fired
      fired += bench.wait(every).fired
    }
    #expect(fired == [])
    // By one decibel less it would have gone.
    for _ in 0..<2000 {
      fired += bench.frame("t", -77).fired
      fired += bench.wait(every).fired
    }
    #expect(fired == ["out"])
  }
}
