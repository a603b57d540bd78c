import Bluetooth
import HTTPServer
import LunaFleet
import LunaJSON
import WebAccess

/// `/v1/gateways`: the records of the fleet.
enum FleetEndpoints {
  static let pageLimit = 500
  static let notAsMatched = (status: 412, when: "It is not as If-Match says.")
  // What is too long is a 414, or a mistake in a search.
  private static let text: JSONValue = ["type": "string"]
  /// 256 characters of a search fit, each of four bytes, beside the cursor of names as long as they may be.
  private static let searchLimits = EndpointLimits(targetLength: 8192)

  static let declarations = [
    Endpoint(
      "GET", "/v1/gateways", "listGateways",
      "See the gateways, searched, sorted, in pages. Whoever takes them along says so with `export=1` on the first "
        + "page, for the history that admins see.",
      access: .role(.viewer),
      query: [
        .init(name: "q", schema: text), .init(name: "sort", schema: text),
        .init(name: "cursor", schema: text),
        .init(name: "limit", schema: ["type": "integer", "minimum": 1, "maximum": 500]),
        .init(name: "sections", schema: ["type": "string", "enum": ["site", "tag"]]),
        .init(name: "export", schema: ["type": "integer", "enum": [0, 1]]),
      ],
      limits: searchLimits,
      replies: [.init(200, "The gateways.", json: "GatewayList")]
    ) { api, call in try await FleetList(api, call).answer() },
    Endpoint(
      "GET", "/v1/gateways/map", "mapGateways", "See where the gateways are.",
      access: .role(.viewer),
      query: [.init(name: "q", schema: text)], limits: searchLimits,
      replies: [.init(200, "Those with a position, and how many have none.", json: "GatewayMap")]
    ) { api, call in try await FleetList(api, call).map() },
    Endpoint(
      "GET", "/v1/gateways/{gateway}", "getGateway", "See a gateway.", access: .role(.viewer),
      replies: [.init(200, "The gateway.", json: "Gateway")]
    ) { api, call in
      let id = call.parameter
      let gateway = try await api.fleet.read(at: call.time) { work throws(FleetFailure) in
        try work.present(id)
      }
      return try await reply(200, gateway, api, call)
    },
    Endpoint(
      "PATCH", "/v1/gateways/{gateway}", "editGateway",
      "Change fields of a gateway; null clears one.", access: .role(.operator), body: "GatewayEdit",
      replies: [.init(200, "The gateway as it is now.", json: "Gateway")],
      problems: [
        (409, "Somebody else changed the same fields, or another gateway has the name."),
        (412, "If-Match names no revision."),
        (422, "A field cannot be so, or cannot be edited."),
        (428, "It is not said which revision is edited."),
      ]
    ) { api, call in
      var edit = try edit(.gateway, try call.object(api))
      edit.revision = try call.revision(of: edit)
      let (id, sent) = (call.parameter, edit)
      let (gateway, isMerged, _) = try await api.fleet.change(by: call.actor, at: call.time) {
        work throws(FleetFailure) in try work.edit(id, sent)
      }
      return try await reply(200, gateway, api, call, isMerged: isMerged)
    },
    Endpoint(
      "DELETE", "/v1/gateways/{gateway}", "removeGateway",
      "Remove a gateway. It can be undone for 30 days; until then its token is not good.",
      access: .role(.operator), replies: [.init(200, "The change.", json: "ChangeReply")],
      problems: [notAsMatched]
    ) { api, call in
      let (id, needed) = (call.parameter, call.neededRevisions)
      let change = try await api.fleet.change(by: call.actor, at: call.time) {
        work throws(FleetFailure) in
        try work.check(needed, of: .gateway, id)
        return try work.remove(id)
      }
      return HTTPResponse(200, json: ["change": .integer(change)])
    },
    Endpoint(
      "POST", "/v1/gateways/{gateway}/purge", "purgeGateway",
      "Drop a removed gateway for good, with its tokens and sign-ins, its health and its samples; its "
        + "history stays. This cannot be undone.",
      access: .role(.admin), replies: [.init(200, "The change.", json: "ChangeReply")],
      problems: [(409, "It is not removed."), notAsMatched]
    ) { api, call in
      let (id, needed) = (call.parameter, call.neededRevisions)
      let change = try await api.fleet.change(by: call.actor, at: call.time) {
        work throws(FleetFailure) in
        try work.check(needed, of: .gateway, id)
        return try work.purge(id)
      }
      api.signs.readAnew()
      return HTTPResponse(200, json: ["change": .integer(change)])
    },
    Endpoint(
      "POST", "/v1/gateways/{gateway}/enrol", "enrolAgain",
      "Have a record wait for its gateway anew: for the one with a label, or, without one, for a "
        + "code. The tokens before are not good any more.",
      access: .role(.operator), body: "EnrolAgain",
      replies: [.init(200, "The gateway, and the code where there is one.", json: "EnrolReply")],
      problems: [
        (409, "The label is that of another gateway."), notAsMatched,
        (422, "The label cannot be read."),
      ]
    ) { api, call in try await FleetEnrolment.again(api, call) },
    Endpoint(
      "POST", "/v1/gateways/bulk", "editGateways", "Change or remove many gateways at once.",
      access: .role(.operator), body: "BulkEdit",
      replies: [.init(200, "What became of each.", json: "BulkReply")],
      problems: [
        (409, "The search finds another number of gateways than the one that was seen."),
        (422, "A field cannot be so."),
      ]
    ) { api, call in try await FleetBulk.answer(api, call) },
    Endpoint(
      "POST", "/v1/gateways/import", "importGateways", "Make many records: all of them or none.",
      access: .role(.operator), body: "GatewayImport", elements: GatewayFile.limit,
      replies: [
        .init(200, "It could be done.", json: "ImportReply"),
        .init(201, "They are there.", json: "ImportReply"),
      ],
      problems: [(422, "What is wrong with which lines.")]
    ) { api, call in try await FleetBulk.importLines(api, call) },
    Endpoint(
      "POST", "/v1/payloads/decode", "decodePayload",
      "Read the text of a gateway's label; or the text of the QR code of a grey picture (PGM), which is "
        + "not kept.",
      access: .role(.operator), body: "PayloadText", files: [LabelReader.mediaType],
      limits: EndpointLimits(bodyBytes: Graymap.bytes, requests: 2),
      replies: [
        .init(
          200, "What the label says, or what the code does where there is one.",
          json: "LabelReading")
      ],
      problems: [
        (422, "Why it cannot be read, and where."), (501, "The server cannot read pictures."),
      ]
    ) { api, call in
      if call.isPicture { return try await LabelReader.answer(api, call) }
      let members = try call.members(api)
      return HTTPResponse(200, json: .object(try payload(try members.string("text")).json))
    },
    Endpoint(
      "POST", "/v1/payloads/label", "drawLabel", "Draw the label of a gateway.",
      access: .role(.operator), body: "LabelOrder",
      replies: [.init(200, "The label, as SVG or PNG.", files: ["image/svg+xml", "image/png"])],
      problems: [
        (404, "There is no such gateway, or nothing is known of its key."),
        (422, "The label cannot be read."), (501, "The server cannot draw codes."),
      ]
    ) { api, call in try await FleetEnrolment.label(api, call) },
  ]

  /// Reads an edit.
  static func edit(
    _ kind: RecordKind, _ object: JSONObject, ignoring: Set<String> = []
  ) throws(ProblemDocument) -> RecordEdit {
    do throws(FieldErrors) {
      return try RecordEdit(kind, json: object, ignoring: ignoring)
    } catch { throw ProblemDocument(error) }
  }

  /// Reads the text of a label.
  static func payload(_ text: String) throws(ProblemDocument) -> GatewayPayload {
    do throws(FleetError) {
      return try GatewayPayload(text: text)
    } catch { throw ProblemDocument(error) }
  }

  /// A record with its ETag.
  static func reply(
    _ status: Int, _ gateway: Gateway, _ api: API, _ call: APICall, isMerged: Bool = false
  ) async throws -> HTTPResponse {
    let statuses = try await api.signs.statuses(of: gateway.key, at: call.time)
    var json = statuses.json(gateway)
    if let payload = gateway.payload { json.append("label", .string(payload.text)) }
    if isMerged { json.append("merged", true) }
    var response = HTTPResponse(status, json: .object(json))
    response.headers.append(("ETag", "\"\(gateway.revision)\""))
    return response
  }
}
