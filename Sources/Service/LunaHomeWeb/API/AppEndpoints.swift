import Bluetooth
import HTTPServer
import LunaCore
import LunaHome
import LunaJSON
import WebAccess

/// What the app is made of, and what its screens need beside the lists.
enum AppEndpoints {
  static let all = [
    HomeEndpoint("GET", "ui", "getApp", "See what the app is made of.", .open) { api, call in
      let caller = try await api.caller(call.request, at: call.time)
      return HTTPResponse(200, json: try await json(api, caller?.role))
    },
    HomeEndpoint(
      "PATCH", "ui", "nameHome", "Say what the app calls this home.", .role(.owner),
      body: "HomeName",
      problems: [(409, "The file says it."), (422, "It cannot be called so.")]
    ) { api, call in
      let name = try call.members().string("name")
      guard let file = await api.home.file else { throw HomeAPI.unready }
      guard file["name"] == nil else {
        throw ProblemDocument(
          409, "managedByFile", "The name stands in the file.", detail: "change it there")
      }
      let isPrintable = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      guard (1...80).contains(name.count), isPrintable else {
        throw ProblemDocument(
          422, "name", "The home cannot be called so.", detail: "1 to 80 characters on one line",
          members: ["field": "name"])
      }
      try await api.objects.note(name: name)
      return HTTPResponse(200, json: try await json(api, .owner))
    },
    HomeEndpoint(
      "GET", "runs", "listRuns", "See what runs next by the clock.", .role(.member),
      query: ["count"], answer: "Runs"
    ) { api, call in
      let caller = try call.caller()
      let hidden = try await HomeObjectKeeper(.rules, api).list().filter {
        !caller.sees(rule: $0.value)
      }.map(\.id)
      let count = try call.query("count").map {
        try TrackerEndpoints.whole("count", $0, in: 1...50)
      }
      guard let file = await api.home.file else { throw HomeAPI.unready }
      let (merged, _) = try await api.objects.fitting(file, in: api.surroundings)
      let runs = HomeSchedule.runs(
        of: api.configuration(merged),
        after: call.time.microseconds / 1_000_000,
        count: Int(count ?? 3))
      let json = runs.filter { !hidden.contains($0.rule) }.map { run -> JSONValue in
        [
          "rule": .string(run.rule),
          "time": .string(Timestamp(microseconds: run.at * 1_000_000).rfc3339),
        ]
      }
      return HTTPResponse(200, json: ["runs": .array(json)])
    },
  ]

  /// - Parameter role: of who is signed in; nil for nobody.
  private static func json(_ api: HomeAPI, _ role: HomeRole?) async throws -> JSONValue {
    guard let file = await api.home.file else { throw HomeAPI.unready }
    let name = try await api.objects.name()
    guard let role else { return HomeApp.json(file, name: name, isKnown: false) }
    return HomeApp.json(
      file, name: name, isKnown: true, tiles: await TileEndpoints.json(api),
      hasPlans: role > .guest)
  }
}
