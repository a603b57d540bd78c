import LunaCore
import LunaJSON

/// `/v1/gateways`: the fleet.
enum GatewayEndpoints {
  static let declarations = [
    Endpoint(
      "POST", "/v1/gateways", "enrolGateway",
      "Get the token of a gateway for an enrolment code, once.",
      access: .open, body: "Enrolment",
      replies: [.init(201, "The token, which is not shown again.", json: "EnrolmentReply")],
      problems: [
        (403, "There is no such code, or it is used or too old."),
        (429, "Too many wrong codes from one address, or the gateway has two tokens already."),
      ]
    ) { api, call in try await enrol(api, call) },
    Endpoint(
      "GET", "/v1/gateways", "listGateways", "See the gateways and what they told of themselves.",
      access: .only(.admin), replies: [.init(200, "The gateways.", json: "GatewayList")]
    ) { api, _ in
      let gateways = try await api.storage.gateways()
      return HTTPResponse(200, json: ["gateways": .array(gateways.map(json))])
    },
  ]

  private static func json(_ gateway: GatewayRecord) -> JSONValue {
    var object: JSONObject = [
      "name": .string(gateway.name), "seenAt": .string(gateway.seenAt.rfc3339),
    ]
    if let report = gateway.report, case .object(let members) = report.json {
      object.members += members.members
    }
    return .object(object)
  }

  private static func enrol(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let members = try JSONMembers(
      try call.json(limits: api.configuration.limits), name: "the body")
    let text = try members.string("code")
    let token = try AccessToken(.gateway)
    let time = call.time
    // Looked up first, and only wrong codes are counted: nobody can keep others from using a good one.
    guard let digest = try EnrolmentCode(text)?.digest(),
      try await api.storage.hasEnrolment(digest, at: time),
      let record = try await api.storage.redeem(
        digest, at: time,
        token: { name throws(StorageError) in try token.record(name: name, at: time) })
    else {
      if let seconds = api.wrongCodes.take(1, for: call.request.client) {
        throw ProblemDocument(
          429, "rateLimited", "Too many wrong codes.", detail: "the limit is for each address",
          retryAfter: max(1, seconds))
      }
      throw ProblemDocument(
        403, "enrolmentCode", "This code is not good.",
        detail: "it is mistyped, used, or too old")
    }
    api.log.line(
      .info, "a gateway enrolled",
      ["gateway": .string(record.name), "token": .string(record.id)])
    return HTTPResponse(
      201, json: ["gateway": .string(record.name), "token": .string(token.text)])
  }
}
