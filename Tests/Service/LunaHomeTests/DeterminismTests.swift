import LunaJSON
import Testing

@testable import LunaHome

/// The same inputs give the same bytes, also across a state that was saved and loaded.
@Suite struct DeterminismTests {
  static let file = """
    { "trackers": [ { "id": "t", "model": "m" }, { "id": "u" } ],
      "devices": [ { "class": "Device", "oemModel": "m", "managedProperties": [ { "name": "a" }, { "name": "rssi" } ] } ],
      "places": [ { "id": "home", "latitude": 52.5, "longitude": 13.4, "radius": 80 } ],
      "rules": [
        { "id": "in", "cooldown": "2m", "when": [ { "enter": { "place": "home" } }, { "beaconIn": {} } ], "then": [ { "set": { "who": "t", "property": "a", "value": 1 } }, { "wait": "30s" }, { "set": { "who": "t", "property": "a", "value": 0 } } ] },
        { "id": "out", "for": "1m", "when": [ { "beaconOut": {} } ], "then": [ { "ping": {} } ] },
        { "id": "gone", "when": [ { "exit": { "place": "home" } } ], "if": { "not": { "nobodyHome": {} } }, "then": [ { "ping": {} } ] },
        { "id": "signal", "cooldown": "0s", "when": [ { "property": { "property": "rssi", "below": -70 } }, { "property": { "who": "t", "property": "a", "changes": true } } ], "then": [ { "notify": {} } ] },
        { "id": "clock", "when": [ { "time": { "every": "7m" } } ], "then": [ { "ping": {} } ] } ] }
    """

  /// An input at a time, by a source of numbers.
  private static func inputs(_ count: Int) -> [(HomeInput, Moment)] {
    var dice = PlaceTests.Dice(state: 5)
    var moment = Moment(wall: 1_780_000_000_000_000, boot: 1_000_000_000)
    return (0..<count).map { number in
      let step = Int64(dice.next() * 40_000_000)
      moment = Moment(wall: moment.wall + step, boot: moment.boot + step)
      let tracker = dice.next() < 0.5 ? "t" : "u"
      switch dice.next() {
      case ..<0.4:
        return (
          .frame(tracker: tracker, rssi: -50 - Int(dice.next() * 40), adapter: "hci0"), moment
        )
      case ..<0.5: return (.alive, moment)
      case ..<0.7:
        let far = dice.next() < 0.5 ? 0.0 : 0.01
        return (
          .fix(
            tracker: tracker,
            Fix(
              latitude: 52.5 + far, longitude: 13.4, accuracy: 20, time: moment.wall,
              report: "\(number)")), moment
        )
      case ..<0.8:
        return (.value(tracker: "t", property: "a", .number(Double(Int(dice.next() * 3)))), moment)
      case ..<0.82: return (.receiver(isScanning: dice.next() < 0.5), moment)
      case ..<0.83: return (.start, moment)
      default: return (.clock, moment)
      }
    }
  }

  private static func engine() -> HomeEngine { HomeEngine(HomeConfiguration(HomeFile(file))) }

  @Test func twoRunsAreTheSame() {
    let inputs = Self.inputs(3000)
    func run() -> [String] {
      var engine = Self.engine()
      return inputs.flatMap { engine.step($0, at: $1).effects.map(\.json.description) }
    }
    let lines = run()
    #expect(lines == run())
    #expect(lines.count > 500)
    for rule in ["in", "signal", "clock"] {
      #expect(
        lines.contains { $0.contains("\"type\":\"firing\"") && $0.contains("\"rule\":\"\(rule)\"") }
      )
    }
  }

  @Test func aThousandCuts() throws {
    let inputs = Self.inputs(2000)
    var engine = Self.engine()
    var whole: [([String], Int64?)] = []
    var states: [JSONValue] = []
    for (input, moment) in inputs {
      let (effects, wake) = engine.step(input, at: moment)
      whole.append((effects.map(\.json.description), wake))
      states.append(engine.state.json)
    }
    var dice = PlaceTests.Dice(state: 99)
    for _ in 0..<1000 {
      let cut = Int(dice.next() * 1950)
      var other = HomeEngine(
        engine.configuration, try HomeState(json: JSONReader.read(states[cut].bytes)))
      for number in cut + 1..<min(cut + 40, inputs.count) {
        let (effects, wake) = other.step(inputs[number].0, at: inputs[number].1)
        try #require(effects.map(\.json.description) == whole[number].0, "\(cut) \(number)")
        try #require(wake == whole[number].1, "\(cut) \(number)")
      }
      #expect(other.state.json.bytes == states[min(cut + 39, inputs.count - 1)].bytes)
    }
  }
}
