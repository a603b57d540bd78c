import HTTPServer
import LunaFleet
import LunaJSON
import WebAccess

/// `/v1/me/layout`, `/v1/me/filters`, `/v1/me/theme`: what everybody has set for the console.
enum PreferenceEndpoints {
  private static let limits = EndpointLimits(bodyBytes: 64 << 10)
  private static let wrong = "It cannot be so."

  static let declarations = [
    Endpoint(
      "GET", "/v1/me/layout", "getLayouts", "See where the widgets of one's dashboards are.",
      access: .role(.viewer),
      replies: [.init(200, "A layout for each number of columns.", json: "Layouts")]
    ) { api, call in
      let kept = try await api.preferences.value(.layout, of: call.actor)
      return HTTPResponse(200, json: layouts(kept).json)
    },
    Endpoint(
      "PUT", "/v1/me/layout", "keepLayout",
      "Keep where the widgets of a dashboard are, for its number of columns; or of several.",
      access: .role(.viewer), body: "LayoutOrLayouts", limits: limits,
      replies: [.init(200, "All that are kept.", json: "Layouts")], problems: [(422, wrong)]
    ) { api, call in
      let json = try call.json(limits: api.configuration.limits)
      let new = try DashboardLayouts(json: json)
      let value = try await api.preferences.set(.layout, of: call.actor) { kept in
        layouts(kept).replacing(new).json
      }
      return HTTPResponse(200, json: value)
    },
    Endpoint(
      "GET", "/v1/me/filters", "getFilters",
      "See one's saved searches, and those that others share: these with their `owner`.",
      access: .role(.viewer), replies: [.init(200, "The searches.", json: "Filters")]
    ) { api, call in try await filters(api, call) },
    Endpoint(
      "PUT", "/v1/me/filters", "keepFilters",
      "Keep one's searches; those of others are left out. Operators may share them, as long as they are operators.",
      access: .role(.viewer), body: "Filters", limits: limits,
      replies: [.init(200, "All that one sees.", json: "Filters")], problems: [(422, wrong)]
    ) { api, call in
      let filters = try SavedFilters(json: try call.json(limits: api.configuration.limits))
      if filters.list.contains(where: \.isShared), call.caller?.may(.role(.operator)) != true {
        throw ProblemDocument.forbidden(.role(.operator))
      }
      _ = try await api.preferences.set(.filters, of: call.actor) { _ in filters.json }
      return try await PreferenceEndpoints.filters(api, call)
    },
    Endpoint(
      "GET", "/v1/me/theme", "getTheme", "See in what colours one has the console.",
      access: .role(.viewer), replies: [.init(200, "The theme.", json: "Theme")]
    ) { api, call in
      let kept = try await api.preferences.value(.theme, of: call.actor)
      return HTTPResponse(200, json: kept ?? ["theme": "system"])
    },
    Endpoint(
      "PUT", "/v1/me/theme", "keepTheme", "Keep in what colours one has the console.",
      access: .role(.viewer), body: "Theme", limits: limits,
      replies: [.init(200, "The theme.", json: "Theme")], problems: [(422, wrong)]
    ) { api, call in
      let name = try call.members(api).string("theme")
      guard ["system", "light", "dark"].contains(name) else {
        throw ProblemDocument(
          422, "theme", "There is no such theme.", detail: "there are system, light and dark")
      }
      let value = try await api.preferences.set(.theme, of: call.actor) { _ in
        ["theme": .string(name)]
      }
      return HTTPResponse(200, json: value)
    },
  ]

  /// What was kept, as far as it is understood.
  private static func layouts(_ kept: JSONValue?) -> DashboardLayouts {
    kept.flatMap { try? DashboardLayouts(json: $0) } ?? DashboardLayouts()
  }

  private static func filters(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let own = try await api.preferences.value(.filters, of: call.actor)
    var list = SavedFilters.read(own).list.map(\.json)
    for (owner, value) in try await api.preferences.shared(.filters, but: call.actor) {
      for filter in SavedFilters.read(value).list where filter.isShared {
        var json = filter.json
        json.append("owner", .string(owner))
        list.append(json)
      }
    }
    return HTTPResponse(200, json: ["filters": .array(list.map { .object($0) })])
  }
}
