import HTTPServer
import LunaFleet
import LunaJSON
import WebAccess

/// Who changed what, and taking it back.
enum FleetChangeEndpoints {
  private static let pageLimit = 500
  private static let number: JSONValue = ["type": "integer", "minimum": 0]

  static let declarations = [
    Endpoint(
      "GET", "/v1/changes", "listChanges",
      "See what was changed, oldest first; `actor=me` is who asks. With `before` it is the last that came "
        + "before that change. With `audit=1` admins also see what was done with accounts, sessions, "
        + "identities, tokens and settings.", access: .role(.viewer),
      query: [
        .init(name: "since", schema: number), .init(name: "before", schema: number),
        .init(name: "actor", schema: ["type": "string"]),
        .init(name: "object", schema: ["type": "string"]),
        .init(name: "audit", schema: ["type": "integer", "enum": [0, 1]]),
      ],
      replies: [
        .init(200, "At most 500 changes after `since`, or before `before`.", json: "ChangeList")
      ]
    ) { api, call in
      let since = try call.number("since", in: 0...Int64.max) ?? 0
      let before = try call.number("before", in: 0...Int64.max)
      var (condition, values) = ("number > $1", [StorageValue.integer(since)])
      if let before {
        values.append(.integer(before))
        condition += " AND number < $\(values.count)"
      }
      if try call.number("audit", in: 0...1) == 1 {
        guard call.caller?.may(.role(.admin)) == true else {
          throw ProblemDocument.forbidden(.role(.admin))
        }
      } else {
        condition += " AND \(AuditEntry.others)"
      }
      var actor = try call.query("actor")
      if actor == "me" { actor = call.actor }
      for (column, value) in [
        ("actor", actor), ("object", try call.query("object")),
      ] {
        guard let value else { continue }
        values.append(.text(value.filter { $0 != "\0" }))
        condition += " AND \(column) = $\(values.count)"
      }
      return try await changes(condition, values, newest: before != nil, named: true, api, call)
    },
    Endpoint(
      "GET", "/v1/gateways/{gateway}/history", "gatewayHistory",
      "See who changed what in a gateway, oldest first.", access: .role(.viewer),
      query: [.init(name: "since", schema: number)],
      replies: [.init(200, "At most 500 changes after `since`.", json: "ChangeList")]
    ) { api, call in
      let since = try call.number("since", in: 0...Int64.max) ?? 0
      let id = call.parameter
      let isKnown = try await api.fleet.read(at: call.time) { work throws(FleetFailure) in
        try work.gateway(id) != nil
      }
      guard isKnown else { throw ProblemDocument.notFound("no gateway has this id") }
      return try await changes(
        "number > $1 AND kind = 'gateway' AND object = $2", [.integer(since), .text(id)], api, call)
    },
    Endpoint(
      "POST", "/v1/changes/{change}/undo", "undoChange", "Take a change back, as a new one.",
      access: .role(.operator),
      replies: [
        .init(
          200, "The new change; none where nothing of a change of many could be taken back.",
          json: "UndoReply")
      ],
      problems: [(409, "Why it cannot be taken back.")]
    ) { api, call in
      guard let number = Int64(call.parameter) else {
        throw ProblemDocument.notFound("no change has this number")
      }
      let (change, results) = try await api.fleet.change(by: call.actor, at: call.time) {
        work throws(FleetFailure) in try work.undo(number)
      }
      var json = JSONObject()
      if let change { json.append("change", .integer(change)) }
      if let results { json.append("results", .array(results.map(\.json))) }
      return HTTPResponse(200, json: .object(json))
    },
  ]

  /// - Parameter isNamed: whether the names of the gateways are told, too.
  private static func changes(
    _ condition: String, _ values: [StorageValue], newest: Bool = false,
    named isNamed: Bool = false, _ api: API, _ call: APICall
  ) async throws -> HTTPResponse {
    let changes = try await api.fleet.read(at: call.time) { work throws(FleetFailure) in
      try work.changes(where: condition, values, newest: newest, limit: pageLimit)
    }
    let ids = Set(isNamed ? changes.compactMap(\.gateway) : [])
    let names = try await ids.isEmpty ? [:] : api.directory.names(of: ids)
    return HTTPResponse(200, json: ["changes": .array(changes.map { json($0, names) })])
  }

  private static func json(_ change: RecordChange, _ names: [String: String]) -> JSONValue {
    guard case .object(var json) = change.json, let name = change.gateway.flatMap({ names[$0] })
    else { return change.json }
    json.append("name", .string(name))
    return .object(json)
  }
}
