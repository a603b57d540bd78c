package import LunaJSON

/// What is held of the replays at a server of ours, and what is answered of it (UPLINK.md, 7.1, 13). An answer takes
/// milliseconds, and the lock that holds a host is the one for which every piece of a running replay waits: whoever
/// answers takes this value under it, and asks it afterwards.
package struct WeheResults: Sendable {
  /// What clients sent of both replays of a test, as it is held.
  private struct Test {
    let declaration: WeheDeclaration
    let time: Double
    let date: String
    var samples: [Bool: [Double]] = [:]
  }

  /// What is known of an original, for who locates.
  struct Measured {
    let key: String
    let time: Double
    let samples: ReplaySamples
    let loss: ReplayLoss
  }

  /// How many tests are held, how many originals are known in every tick, and how many places are held.
  static let most = (tests: 1_000, measured: 32, places: 100)
  /// How long a result is known, s.
  static let day = 86_400.0
  /// A client with fewer samples is judged by the server's own.
  private static let fewest = 10

  private let pairs: [ServerPair]
  private var tests: [String: Test] = [:]
  var measured: [Measured] = []
  var places: [(key: String, time: Double, response: JSONValue)] = []

  /// Nothing is known.
  init(pairs: [ServerPair]) { self.pairs = pairs }

  /// A replay has ended.
  mutating func keep(
    _ declaration: WeheDeclaration, _ samples: ReplaySamples?, own: ReplaySamples?,
    loss: ReplayLoss, at time: Double, date: String
  ) {
    tests = tests.filter { time < $0.value.time + WeheResults.day }
    let key = WeheResults.key(declaration.user, String(declaration.history))
    guard tests[key] != nil || tests.count < WeheResults.most.tests else { return }
    var test = tests[key] ?? Test(declaration: declaration, time: time, date: date)
    let held = samples?.held ?? []
    let isOwn = held.count < WeheResults.fewest && own != nil
    test.samples[declaration.isControl] = isOwn ? own?.held ?? held : held
    tests[key] = test
    guard !declaration.isControl, let judged = isOwn ? own : samples else { return }
    measured.removeAll { $0.key == key || time >= $0.time + WeheResults.day }
    let kept = ReplaySamples(rates: judged.held, times: Array(judged.times.dropLast()))
    measured.append(Measured(key: key, time: time, samples: kept, loss: loss))
    measured = Array(measured.suffix(WeheResults.most.measured))
  }

  /// What a question for results is answered.
  package func answer(_ fields: [String: String], at time: Double) -> JSONValue {
    switch fields["command"] {
    case "defaultSetting":
      return [
        "success": true, "areaThreshold": "0.5", "ks2Threshold": "0.01", "ks2Ratio": "0.95",
      ]
    case "getServers":
      let list = pairs.map { JSONValue.array([.string($0.first), .string($0.second), ""]) }
      return [
        "success": true, "response": ["server-site-pairs": [], "server-ip-pairs": .array(list)],
      ]
    case "getMeasurements": return measurements(fields, at: time)
    case "localizeResult": return place(fields, at: time)
    case "analyze", "singleResult":
      if let missing = WeheResults.missing(["userID", "historyCount", "testID"], in: fields) {
        return missing
      }
      guard let response = response(fields, at: time) else { return WeheResults.nothing }
      return fields["command"] == "analyze"
        ? ["success": true] : ["success": true, "response": response]
    default: return ["success": false, "error": "unknown command"]
    }
  }

  /// All numbers are texts.
  private func response(_ fields: [String: String], at time: Double) -> JSONValue? {
    let (user, history) = (fields["userID"] ?? "", fields["historyCount"] ?? "")
    guard let test = tests[WeheResults.key(user, history)], time < test.time + WeheResults.day,
      let original = test.samples[false], let control = test.samples[true],
      let judgement = try? OriginalJudgement(original: original, control: control, rule: .ios)
    else { return nil }
    let numbers: [(String, Double?)] = [
      ("area_test", judgement.area), ("ks2_ratio_test", judgement.ratio),
      ("xput_avg_original", Samples.mean(original)), ("xput_avg_test", Samples.mean(control)),
      // Clients take a p of 0 for a difference: where there are too few samples, nothing speaks for one.
      ("ks2dVal", judgement.test?.distance), ("ks2pVal", judgement.test?.p ?? 1),
    ]
    var response: JSONObject = [
      "replayName": .string(test.declaration.replay.text), "date": .string(test.date),
      "userID": .string(user), "extraString": .string(test.declaration.extra),
      "historyCount": .string(history), "testID": "1",
    ]
    for (name, value) in numbers { response.append(name, .string("\(value ?? 0)")) }
    return .object(response)
  }

  static let nothing: JSONValue = ["success": false, "error": "No result found"]

  static func missing(_ names: [String], in fields: [String: String]) -> JSONValue? {
    let missing = names.filter { fields[$0] == nil }
    guard !missing.isEmpty else { return nil }
    return ["success": false, "missing": .array(missing.map { .string($0) })]
  }

  static func key(_ user: String, _ history: String) -> String { "\(user);\(history)" }
}
