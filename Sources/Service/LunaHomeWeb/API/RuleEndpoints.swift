import Bluetooth
import Diagnosis
import HTTPServer
import LunaCore
import LunaHome
import LunaJSON
import LunaStore
import WebAccess

/// `rules/ID/snooze`, `rules/test`, `firings`: what came of rules, and what would have.
enum RuleEndpoints {
  private static let week: Int64 = 7 * 86_400_000_000

  static let all = [
    HomeEndpoint(
      "POST", "rules/{id}/snooze", "snoozeRule", "Put a rule to sleep; 0 seconds wake it.",
      .role(.member), body: "Snooze", 204, problems: [(404, "There is no such rule.")]
    ) { api, call in
      let seconds = try call.members().integer("seconds", in: 0...31_622_400)
      let caller = try call.caller()
      let rules = try await HomeObjectKeeper(.rules, api).list()
      guard rules.allSatisfy({ $0.id != call.parameter || caller.sees(rule: $0.value) }) else {
        throw ProblemDocument.notFound("there is no rule \(call.parameter)")
      }
      let until = call.time.microseconds + seconds * 1_000_000
      try await api.home.snooze(call.parameter, until: seconds == 0 ? nil : until)
      return HTTPResponse(204, nil, [])
    },
    HomeEndpoint(
      "POST", "rules/test", "testRules",
      "See what the rules, or one that is given, would have done; the last week without a span.",
      .role(.member), body: "RuleTest", problems: [(422, "The rule cannot be used.")]
    ) { api, call in try await test(api, call) },
    HomeEndpoint(
      "GET", "firings", "listFirings", "See why rules ran, and why they did not.",
      .role(.member), query: ["rule", "to", "limit"], answer: "Firings"
    ) { api, call in
      let (_, to, limit) = try TrackerEndpoints.time(call)
      let firings = try await api.home.explanations(
        of: call.query("rule"), until: to, limit: min(limit, 500))
      let caller = try call.caller()
      let shown = firings.map(\.json).filter {
        caller.sees(trigger: $0["cause"]?["trigger"]?.text ?? "")
      }
      return HTTPResponse(200, json: ["firings": .array(shown)])
    },
  ]

  private static func test(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let members = try call.members()
    func moment(_ name: String) throws -> Int64? {
      guard let text = try members.optionalString(name, limit: 40) else { return nil }
      guard let time = Timestamp(rfc3339: text) else {
        throw FormatError(name, "is not a time as 2026-01-31T12:00:00Z")
      }
      return time.microseconds
    }
    let to = try moment("to") ?? call.time.microseconds
    let from = try moment("from") ?? to - week
    guard let present = await api.home.file else { throw HomeAPI.unready }
    var rule: String?
    var change: HomeObjectChange?
    if let value = members.optional("rule") {
      let id = value["id"]?.text ?? "test"
      change = try HomeObjectKeeper.checked(value, id, .rules)
      rule = id
    }
    try await HomeObjectKeeper.tryOut(change, beside: present, api)
    // What does not go together with the file is left out, as by the home.
    let (file, _) = try await api.objects.fitting(present, in: api.surroundings, with: change)
    let configuration = api.configuration(file)
    let lines = try await api.inputs(from: from, to: to)
    guard !lines.isEmpty else {
      return HTTPResponse(200, json: ["inputs": 0, "outcomes": []])
    }
    let replay = try ReplayFile(Array(lines.joined(separator: "\n").utf8), who: "self")
    let outcomes = HomeReplay.outcomes(of: replay, with: configuration, rule: rule, to: to)
    let json = outcomes.prefix(1000).map { outcome -> JSONValue in
      switch outcome {
      case .firing(let firing): HomeEffect.firing(firing).json
      case .held(let held): HomeEffect.held(held).json
      }
    }
    return HTTPResponse(
      200, json: ["inputs": .integer(Int64(lines.count)), "outcomes": .array(json)])
  }
}
