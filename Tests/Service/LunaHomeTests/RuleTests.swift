import LunaJSON
import Testing

@testable import LunaHome

/// Properties, conditions, and what holds a rule back.
@Suite struct RuleTests {
  private func bench(_ rules: String, _ more: String = "") -> EngineBench {
    EngineBench(
      """
      { "trackers": [ { "id": "t", "model": "m" }, { "id": "u", "model": "m" } ],
        "devices": [ { "class": "Device", "oemModel": "m", "managedProperties": [
          { "name": "a", "maxAge": "10m", "minChange": 1 }, { "name": "b" } ] } ],
        \(more) "rules": [ \(rules) ] }
      """)
  }

  private func set(_ bench: inout EngineBench, _ value: Double, _ name: String = "a")
    -> [HomeEffect]
  {
    bench.wait(2)
    return bench.take(.value(tracker: "t", property: name, .number(value)))
  }

  @Test func firesWhenItBecomesTrue() {
    var bench = bench(
      #"{"id":"r","cooldown":"0s","when":[{"property":{"property":"a","above":10,"hysteresis":3}}],"then":[{"ping":{}}]}"#
    )
    // True already.
    #expect(set(&bench, 20).fired == [])
    #expect(set(&bench, 5).fired == [])
    #expect(set(&bench, 11).fired == ["r"])
    #expect(set(&bench, 8).fired == [])
    #expect(set(&bench, 12).fired == [])
    #expect(set(&bench, 7).fired == [])
    #expect(set(&bench, 12).fired == ["r"])
  }

  /// Else it would be found an hour late, and be missed.
  @Test(arguments: [false, true]) func runsByTheClockOfAnotherZone(isRestarted: Bool) throws {
    let rule = #"{"id":"r","when":[{"time":{"at":["08:00"]}}],"then":[{"ping":{}}]}"#
    func bench(_ zone: String) -> EngineBench {
      // 2026-06-01T05:00:00Z: two hours before it is eight in London, and one before it is in Berlin.
      EngineBench(#"{"box":{"zone":"\#(zone)"},"rules":[\#(rule)]}"#, start: 1_780_290_000)
    }
    var home = bench("Europe/London")
    home.take(.clock)
    home.wait(60)
    let other = bench("Europe/Berlin").engine.configuration
    if isRestarted {
      home.engine = HomeEngine(other, try HomeState(json: home.engine.state.json))
      home.take(.start)
    } else {
      home.engine = home.engine.reloaded(other)
      home.take(.clock)
    }
    #expect(home.wait(3530).fired == [])
    #expect(home.wait(20).fired == ["r"])
    #expect(home.wait(4 * 3600).fired == [])
  }

  /// The first answer is no event, and 10 m are a change; what is told of it has no coordinate.
  @Test func anotherPositionIsAChange() throws {
    var bench = EngineBench(
      """
      { "trackers": [ { "id": "t", "model": "m" } ],
        "devices": [ { "class": "Device", "oemModel": "m", "managedProperties": [ { "name": "location" } ] } ],
        "rules": [ { "id": "r", "cooldown": "0s", "when": [ { "property": { "who": "t", "property": "location", "changes": true } } ],
          "then": [ { "ping": {} } ] } ] }
      """)
    #expect(bench.fix("t", north: 0).fired == [])
    bench.wait(60)
    #expect(bench.fix("t", north: 9).fired == [])
    bench.wait(60)
    #expect(bench.fix("t", north: 12).causes == ["property location changes"])
    // It goes on so after it was kept.
    bench.engine = HomeEngine(
      bench.engine.configuration, try HomeState(json: bench.engine.state.json))
    bench.wait(60)
    #expect(bench.fix("t", north: 20).fired == [])
    bench.wait(60)
    #expect(bench.fix("t", north: 40).fired == ["r"])
    #expect(bench.lines.allSatisfy { !$0.contains("52.5") && !$0.contains("13.4") })
  }

  /// All the places that it is in are others with each that it leaves.
  @Test func otherPlacesAreAChange() {
    var bench = EngineBench(
      """
      { "trackers": [ { "id": "t" } ],
        "places": [ { "id": "home", "latitude": 52.5, "longitude": 13.4, "radius": 80 },
          { "id": "town", "latitude": 52.5, "longitude": 13.4, "radius": 2000 } ],
        "rules": [ { "id": "r", "cooldown": "0s",
          "when": [ { "property": { "property": "zones", "changes": true } } ], "then": [ { "ping": {} } ] } ] }
      """)
    #expect(bench.fix("t", north: 0).fired == [])
    bench.wait(60)
    #expect(bench.fix("t", north: 500).fired == [])
    bench.wait(60)
    #expect(bench.fix("t", north: 500).causes == ["property zones changes"])
    bench.wait(60)
    #expect(bench.fix("t", north: 510).fired == [])
  }

  @Test func aModelSaysWhichChangeOfPositionCounts() {
    var bench = EngineBench(
      """
      { "trackers": [ { "id": "t", "model": "m" } ],
        "devices": [ { "class": "Device", "oemModel": "m",
          "managedProperties": [ { "name": "location", "minChange": 100 } ] } ],
        "rules": [ { "id": "r", "cooldown": "0s",
          "when": [ { "property": { "property": "location", "changes": true } } ], "then": [ { "ping": {} } ] } ] }
      """)
    bench.fix("t", north: 0)
    bench.wait(60)
    #expect(bench.fix("t", north: 50).fired == [])
    bench.wait(60)
    #expect(bench.fix("t", north: 110).fired == ["r"])
  }

  /// A change so soon after another one is told later, with what came after it: the rule sees that one alone.
  @Test(arguments: [(5.0, ["r"]), (20.0, [] as [String])])
  func knowsWhatWasBeforeItWasMade(value: Double, fired: [String]) {
    let other = self.bench(
      #"{"id":"r","when":[{"property":{"property":"a","above":10}}],"then":[{"ping":{}}]}"#)
    var bench = self.bench("")
    _ = set(&bench, value)
    bench.engine = bench.engine.reloaded(other.engine.configuration)
    bench.take(.value(tracker: "t", property: "a", .number(value - 2)))
    bench.take(.value(tracker: "t", property: "a", .number(30)))
    #expect(bench.wait(2).fired == fired)
  }

  @Test func staleIsUnknown() {
    var bench = bench(
      #"{"id":"r","cooldown":"0s","when":[{"message":"m"}],"if":{"property":{"who":"t","property":"a","above":1}},"then":[{"ping":{}}]}"#
    )
    #expect(bench.take(.message("m")).held == ["r unknown"])
    _ = set(&bench, 5)
    #expect(bench.take(.message("m")).fired == ["r"])
    _ = set(&bench, 0)
    #expect(bench.take(.message("m")).held == ["r condition"])
    bench.wait(601)
    #expect(bench.take(.message("m")).held == ["r unknown"])
  }

  @Test func mustLast() {
    var bench = bench(
      #"{"id":"r","cooldown":"0s","for":"2m","when":[{"property":{"property":"a","above":10}}],"then":[{"ping":{}}]}"#
    )
    _ = set(&bench, 0)
    #expect(set(&bench, 20).fired == [])
    #expect(bench.wait(60).fired == [])
    _ = set(&bench, 0)
    #expect(bench.wait(300).fired == [])
    _ = set(&bench, 20)
    #expect(bench.wait(119).fired == [])
    #expect(bench.wait(2).fired == ["r"])
  }

  /// What went stale meanwhile was unknown for a while: it has not lasted, though it is as it was. After a restart it
  /// begins anew, however old the value was by then.
  @Test(arguments: [false, true]) func whatWasUnknownHasNotLasted(isRestarted: Bool) throws {
    var bench = bench(
      #"{"id":"r","cooldown":"0s","for":"20m","when":[{"property":{"property":"a","above":10}}],"then":[{"ping":{}}]}"#
    )
    _ = set(&bench, 0)
    _ = set(&bench, 20)
    if isRestarted {
      bench.engine = HomeEngine(
        bench.engine.configuration, try HomeState(json: bench.engine.state.json))
      bench.wall += 900_000_000
      bench.boot += 900_000_000
      bench.take(.start)
    } else {
      bench.wait(300)
      _ = set(&bench, 21)
      // Ten minutes are as old as it may get.
      bench.wait(700)
      _ = set(&bench, 20)
      #expect(bench.wait(500).fired == [])
      _ = set(&bench, 0)
    }
    var fired: [String] = []
    for value in [20.0, 21, 20] { fired += set(&bench, value).fired + bench.wait(390).fired }
    #expect(fired == [])
    #expect(bench.wait(60).fired == ["r"])
  }

  @Test func cooldownLimitAndSleep() {
    var bench = bench(
      #"{"id":"r","cooldown":"1m","maxPerHour":3,"when":[{"message":"m"}],"then":[{"ping":{}}]}"#)
    #expect(bench.take(.message("m")).fired == ["r"])
    #expect(bench.take(.message("m")).held == ["r cooldown"])
    bench.wait(61)
    #expect(bench.take(.message("m")).fired == ["r"])
    bench.wait(61)
    #expect(bench.take(.message("m")).fired == ["r"])
    bench.wait(61)
    #expect(bench.take(.message("m")).held == ["r limit"])
    bench.wait(3600)
    bench.take(.snooze(rule: "r", until: bench.wall + 60_000_000))
    #expect(bench.take(.message("m")).held == ["r snoozed"])
    bench.wait(61)
    #expect(bench.take(.message("m")).fired == ["r"])
  }

  @Test func kleene() {
    for (left, right, all, any) in [
      (Truth.yes, Truth.unknown, Truth.unknown, Truth.yes), (.no, .unknown, .no, .unknown),
      (.yes, .no, .no, .yes), (.unknown, .unknown, .unknown, .unknown), (.yes, .yes, .yes, .yes),
    ] {
      #expect(Truth.all([left, right]) == all && Truth.any([left, right]) == any)
    }
    #expect(!Truth.unknown == .unknown && !Truth.yes == .no)
  }

  @Test func waitsAndGoesOn() {
    var bench = bench(
      #"{"id":"r","when":[{"message":"m"}],"then":[{"blink":{}},{"wait":"1m"},{"ping":{}}]}"#)
    func actions(_ effects: [HomeEffect]) -> [String] {
      effects.compactMap { if case .action(let one) = $0 { one.name } else { nil } }
    }
    #expect(actions(bench.take(.message("m"))) == ["blink"])
    #expect(actions(bench.wait(59)) == [])
    #expect(actions(bench.wait(2)) == ["ping"])
  }

  /// A rule sets what the file allows, as people do; of a text that says nothing.
  @Test(arguments: [
    (#""max":30"#, "30", true), (#""max":30"#, "31", false), (#""max":30"#, #""warm""#, false),
    (#""actions":[{"name":"on","value":1}]"#, "1", true),
    (#""actions":[{"name":"on","value":1}]"#, "2", false), (#""maxAge":"1h""#, "2", true),
  ]) func setsWhatAPropertyTakes(_ property: String, _ value: String, _ isTaken: Bool) {
    var bench = EngineBench(
      """
      { "devices": [ { "class": "Device", "oemModel": "m", "managedProperties": [ { "name": "c", \(property) } ] } ],
        "trackers": [ { "id": "t", "model": "m" } ], "rules": [ { "id": "r", "when": [ { "message": "m" } ],
          "then": [ { "set": { "who": "t", "property": "c", "value": \(value) } } ] } ] }
      """)
    let effects = bench.take(.message("m"))
    #expect(effects.fired == ["r"])
    let isTold = effects.contains { if case .change = $0 { true } else { false } }
    #expect(isTold == isTaken)
    #expect((bench.engine.state.trackers["t"]?.properties["c"] != nil) == isTaken)
  }

  static let loop = #"""
    {"id":"one","cooldown":"0s","when":[{"property":{"property":"a","changes":true}}],"then":[{"set":{"who":"t","property":"b","value":VALUE}}]},
    {"id":"two","cooldown":"0s","when":[{"property":{"property":"b","changes":true}}],"then":[{"set":{"who":"t","property":"a","value":VALUE}}]}
    """#

  @Test func loopsStopAndSayWhy() {
    // Each sets the other's property; a broker says both again, as another value each time.
    var bench = bench(Self.loop.replacing("VALUE", with: "1"))
    _ = set(&bench, 0)
    bench.wait(10)
    var held: [String] = []
    let began = bench.boot
    var value = 100.0
    var effects = bench.take(.value(tracker: "t", property: "a", .number(value)))
    var fired = effects.fired.count
    while held.isEmpty, bench.boot - began < 60_000_000 {
      bench.wait(1.1)
      value += 10
      effects = bench.take(.value(tracker: "t", property: "a", .number(value)))
      effects += bench.take(.value(tracker: "t", property: "b", .number(value)))
      fired += effects.fired.count
      held += effects.held
    }
    #expect(Set(held) == ["one loop", "two loop"])
    #expect(fired < 20)
  }

  @Test func directLoopsStopAtOnce() {
    // Toggles: each set is a change.
    var bench = bench(
      #"""
      {"id":"up","cooldown":"0s","when":[{"property":{"property":"b","is":1}}],"then":[{"set":{"who":"t","property":"b","value":0}}]},
      {"id":"down","cooldown":"0s","when":[{"property":{"property":"b","is":0}}],"then":[{"set":{"who":"t","property":"b","value":1}}]}
      """#)
    _ = set(&bench, 5, "b")
    let effects = set(&bench, 1, "b") + bench.wait(1)
    #expect(effects.fired.count == 5)
    #expect(Set(effects.held) == ["up loop", "down loop"])
    #expect(bench.wait(60).fired == [])
  }

  @Test func quietHours() {
    let contacts =
      #""contacts":[{"id":"me","quiet":[{"from":"00:00","to":"23:59","do":"delay"}]},{"id":"you"}],"#
    func recipients(_ rule: String, _ more: String = "") -> [String] {
      var bench = bench(
        #"{"id":"r",\#(more)"when":[{"message":"m"}],"then":[{"notify":{"to":["me","you"]}}]}"#,
        contacts)
      return bench.take(.message("m")).compactMap {
        switch $0 {
        case .action(let one): "\(one.recipients.joined()) \(one.delivery)"
        case .held(let one): one.why.rawValue
        default: nil
        }
      }
    }
    #expect(recipients("") == ["you now", "me delayed"])
    #expect(recipients("", #""quiet":"drop","#) == ["you now", "quiet"])
    #expect(recipients("", #""level":"alarm","#) == ["meyou now"])
  }

  @Test func unchangedRulesKeepTheirState() {
    let rule = #"{"id":"r","cooldown":"1h","when":[{"message":"m"}],"then":[{"ping":{}}]}"#
    let other = #"{"id":"s","when":[{"message":"m"}],"then":[{"ping":{}}]}"#
    var bench = bench(rule)
    _ = bench.take(.message("m"))
    let (wall, boot) = (bench.wall, bench.boot)
    let file = HomeFile("{\"rules\":[\(rule),\(other)]}")
    bench.engine = bench.engine.reloaded(HomeConfiguration(file))
    let effects = bench.take(.message("m"))
    #expect(effects.held == ["r cooldown"] && effects.fired == ["s"])
    #expect((bench.wall, bench.boot) == (wall, boot))
  }

  /// Beside the cooldown: what held when last known, what has to last, and a run that waits.
  @Test func unchangedRulesGoOnThroughReloads() {
    let rules = #"""
      {"id":"held","cooldown":"0s","when":[{"property":{"property":"a","above":10,"hysteresis":3}}],"then":[{"ping":{}}]},
      {"id":"lasting","cooldown":"0s","for":"2m","when":[{"property":{"property":"a","above":10,"hysteresis":3}}],"then":[{"ping":{}}]},
      {"id":"waiting","when":[{"message":"m"}],"then":[{"blink":{}},{"wait":"1m"},{"stopSound":{}}]}
      """#
    let others = ["A", "B"].map { name in
      let other = #"{"id":"other","name":"\#(name)","when":[{"message":"x"}],"then":[{"ping":{}}]}"#
      return self.bench(rules + "," + other).engine.configuration
    }
    var bench = bench(rules)
    _ = set(&bench, 0)
    #expect(set(&bench, 20).fired == ["held"])
    // By its hysteresis alone it holds; who began anew would say that it does not.
    #expect(set(&bench, 8).fired == [])
    #expect(bench.take(.message("m")).fired == ["waiting"])
    var effects: [HomeEffect] = []
    for second in 0..<117 {
      bench.engine = bench.engine.reloaded(others[second % 2])
      effects += bench.take(.clock)
      effects += bench.wait(1)
    }
    #expect(effects.fired == [])
    let actions: [String] = effects.compactMap {
      if case .action(let one) = $0 { one.name } else { nil }
    }
    #expect(actions == ["stopSound"])
    #expect(bench.wait(2).fired == ["lasting"])
    #expect(set(&bench, 12).fired == [])
    // One that says something else begins anew.
    _ = set(&bench, 8)
    let changed = rules.replacing("above\":10", with: "above\":11")
    bench.engine = bench.engine.reloaded(self.bench(changed).engine.configuration)
    _ = bench.take(.clock)
    #expect(set(&bench, 12).fired == ["held"])
  }
}
