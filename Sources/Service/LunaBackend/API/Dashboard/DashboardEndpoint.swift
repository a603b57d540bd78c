import HTTPServer
import LunaFleet
import LunaJSON
import WebAccess

/// `GET /v1/dashboard/data`: what widgets show.
enum DashboardEndpoint {
  private static let limit = 64
  private static let names = Set(DashboardNow.names + DashboardHistory.names)

  static let declaration = Endpoint(
    "GET", "/v1/dashboard/data", "dashboardData",
    "See what widgets of a dashboard show: "
      + (DashboardNow.names + DashboardHistory.names).joined(separator: ", ")
      + ", or key: with a key of telemetry; by default all. `failedSignIns` is for admins.",
    access: .role(.viewer),
    query: [
      .init(name: "widgets", schema: ["type": "string"]),
      .init(name: "range", schema: Schema.words(DashboardRange.allCases.map(\.rawValue))),
    ],
    replies: [.init(200, "What each of them shows.", json: "DashboardData")]
  ) { api, call in try await answer(api, call) }

  private static func answer(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let (widgets, range) = (try widgets(call), try range(call))
    let isAdmin = call.caller?.may(.role(.admin)) == true
    if !isAdmin, !DashboardHistory.adminNames.isDisjoint(with: widgets) {
      throw ProblemDocument.forbidden(.role(.admin))
    }
    try await api.monitor.look(at: call.time)
    let entries = await api.monitor.present
    let (now, keys) = (DashboardNow(entries), entries.map(\.gateway.key))
    var shown = JSONObject()
    for name in widgets {
      let value =
        if DashboardNow.names.contains(name) {
          now.widget(name)
        } else {
          try await api.history.widget(name, range, keys: keys, at: call.time)
        }
      shown.append(name, value)
    }
    return HTTPResponse(
      200, json: ["range": .string(range.rawValue), "widgets": .object(shown)])
  }

  private static func widgets(_ call: APICall) throws(ProblemDocument) -> [String] {
    guard let text = try call.query("widgets") else {
      let isAdmin = call.caller?.may(.role(.admin)) == true
      return (DashboardNow.names + DashboardHistory.names).filter {
        isAdmin || !DashboardHistory.adminNames.contains($0)
      }
    }
    var widgets: [String] = []
    for name in text.split(separator: ",") {
      guard names.contains(String(name)) || isKey(name) else {
        throw malformed("there is no widget with one of these names")
      }
      if !widgets.contains(String(name)) { widgets.append(String(name)) }
    }
    guard widgets.count <= limit else { throw malformed("there are more than \(limit) widgets") }
    return widgets
  }

  /// Whether it is a key of telemetry, as far as its characters tell.
  private static func isKey(_ name: Substring) -> Bool {
    guard name.hasPrefix(DashboardHistory.keyPrefix) else { return false }
    let key = name.dropFirst(DashboardHistory.keyPrefix.count)
    return (1...255).contains(key.utf8.count)
      && key.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
          || "_-.".unicodeScalars.contains(scalar)
      }
  }

  private static func range(_ call: APICall) throws(ProblemDocument) -> DashboardRange {
    guard let text = try call.query("range") else { return .day }
    guard let range = DashboardRange(rawValue: text) else {
      throw malformed(
        "range is \(DashboardRange.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return range
  }

  private static func malformed(_ detail: String) -> ProblemDocument {
    ProblemDocument(400, "query", "The query is malformed.", detail: detail)
  }
}
