import Bluetooth
import HTTPServer
import LunaCore
import LunaJSON
import LunaWire
import WebAccess

/// `POST /v1/gateways`: how gateways come in, by a code, by their label, or by hand.
enum GatewayEndpoints {
  static let declarations = [
    Endpoint(
      "POST", "/v1/gateways", "enrolGateway",
      "For a gateway: get its token for a code, once, or offer the digest of its token, which is "
        + "good when somebody has scanned its label. For an operator: make a record of a label, or "
        + "of a name. Whoever repeats a code with the same key, because the answer was lost, gets another "
        + "token, and the one before ends.",
      access: .open, body: "Enrolment", isKeyed: true,
      replies: [
        .init(200, "The offer was taken before.", json: "EnrolmentReply"),
        .init(201, "The token, which is not shown again; or the record.", json: "EnrolmentReply"),
      ],
      problems: [
        (401, "Only an operator makes records."),
        (403, "The code is not good, or nobody has scanned the label, or the token is for less."),
        (409, "The gateway has a record or a token already, or the name is taken."),
        (422, "The label cannot be read, or a field cannot be so."),
        (429, "Too many wrong codes or offers, or the gateway has two tokens already."),
      ]
    ) { api, call in
      let body = try call.inflated(api.configuration.limits)
      let json = try call.json(body)
      let members = try JSONMembers(json, name: "the body")
      if members.object["code"] != nil { return try await enrol(members, body, api, call) }
      if members.object["publicKey"] != nil {
        return try await FleetEnrolment.offer(json, api, call)
      }
      let caller = try await api.admit(
        call.request, to: .role(.operator), operation: call.endpoint.operation, at: call.time)
      return try await FleetEnrolment.add(members.object, api, call.with(caller))
    }
  ]

  private static func enrol(
    _ members: JSONMembers, _ body: [UInt8], _ api: API, _ call: APICall
  ) async throws -> HTTPResponse {
    let text = try members.string("code")
    let token = try AccessToken(.gateway)
    guard let record = try await redeem(text, for: token, body, api, call) else {
      if let seconds = api.wrongCodes.take(1, for: call.request.client) {
        throw ProblemDocument(
          429, "rateLimited", "Too many wrong codes.", detail: "the limit is for each address",
          retryAfter: max(1, seconds))
      }
      throw ProblemDocument(
        403, "enrolmentCode", "This code is not good.",
        detail: "it is mistyped, used, or too old")
    }
    // Where that fails, the gateway asks again, and gets another one.
    try await AccountStore(api.storage, actor: "gateway:\(record.name)").note(made: record)
    api.log.line(
      .info, "a gateway enrolled",
      ["gateway": .string(record.name), "token": .string(record.id)])
    return HTTPResponse(
      201, json: ["gateway": .string(record.name), "token": .string(token.text)])
  }

  /// Uses up a code; nil when it is not good.
  private static func redeem(
    _ text: String, for token: AccessToken, _ body: [UInt8], _ api: API, _ call: APICall
  ) async throws -> TokenRecord? {
    guard let digest = try EnrolmentCode(text)?.digest() else { return nil }
    let time = call.time
    let key = try call.outcomeKey("enrolment", of: Hex.lower(digest), body: body)
    // Looked up first, and only wrong codes are counted: nobody can keep others from using a good one.
    var isGood = try await api.storage.hasEnrolment(digest, at: time)
    if !isGood { isGood = try await api.storage.hasOutcome(key, at: time) }
    guard isGood else { return nil }
    return try await api.storage.redeem(
      digest, as: key, at: time,
      token: { name throws(StorageError) in try token.record(name: name, at: time) })
  }
}
