import Bluetooth
import HTTPServer
import LunaCore
import LunaJSON
import WebAccess

/// `/v1/tokens`: what gateways, owners and programs show.
enum TokenEndpoints {
  static let declarations = [
    Endpoint(
      "GET", "/v1/tokens", "listTokens",
      "See the tokens, also revoked ones, without their secrets.",
      access: .role(.admin), replies: [.init(200, "The tokens.", json: "TokenList")]
    ) { api, _ in
      let tokens = try await api.storage.tokens()
      return HTTPResponse(200, json: ["tokens": .array(tokens.map { .object(json($0)) })])
    },
    Endpoint(
      "POST", "/v1/tokens", "makeToken", "Make a token, which is shown only once.",
      access: .role(.admin), body: "NewToken",
      replies: [.init(201, "The token.", json: "TokenReply")],
      problems: [
        (422, "This cannot be a name."), (429, "The name has two tokens of this kind already."),
      ]
    ) { api, call in try await make(api, call) },
    Endpoint(
      "DELETE", "/v1/tokens/{name}", "revokeToken",
      "Revoke the token with an id, or all tokens of a name.", access: .role(.admin),
      replies: [.init(204, "It is revoked.")], problems: [(404, "There is no such live token.")]
    ) { api, call in
      let live = try await api.storage.tokens().filter { $0.revokedAt == nil }
      let one = live.filter { $0.id == call.parameter }
      let meant = one.isEmpty ? live.filter { $0.name == call.parameter } : one
      guard !meant.isEmpty else {
        // That somebody has revoked it already is said when a standby has that, as the storage sees to.
        _ = try await api.storage.revoke(call.parameter, at: call.time)
        throw ProblemDocument.notFound("no live token has this id or name")
      }
      for token in meant {
        _ = try await api.accounts.by(call.caller).revoke(token: token.id, at: call.time)
        api.audit("token revoked", by: call.caller, json(token))
      }
      return HTTPResponse(204, nil, [])
    },
  ]

  private static func json(_ token: TokenRecord) -> JSONObject {
    var object: JSONObject = [
      "id": .string(token.id), "kind": .string(token.role.rawValue), "name": .string(token.name),
      "createdAt": .string(token.createdAt.rfc3339),
    ]
    if let rights = token.rights { object.append("role", .string(rights.rawValue)) }
    if let time = token.revokedAt { object.append("revokedAt", .string(time.rfc3339)) }
    return object
  }

  private static func make(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let members = try call.members(api)
    guard let kind = TokenRole(rawValue: try members.string("kind")) else {
      throw FormatError("kind", "is not gateway, owner or admin")
    }
    let name = try members.string("name")
    var rights: AccountRole?
    if members.optional("role") != nil {
      rights = AccountRole(rawValue: try members.string("role"))
      guard rights != nil, kind == .admin else {
        throw FormatError("role", "is not viewer, operator or admin, or the kind is not admin")
      }
    }
    guard TokenRecord.isName(name) else {
      throw ProblemDocument(
        422, "name", "This cannot be a name.",
        detail: "1 to 64 letters, digits, dots, hyphens and underscores")
    }
    let token = try AccessToken(kind)
    let record = try token.record(name: name, at: call.time, rights: rights)
    try await api.accounts.by(call.caller).add(record)
    api.audit("token made", by: call.caller, json(record))
    var object = json(record)
    object.append("token", .string(token.text))
    return HTTPResponse(201, json: .object(object))
  }
}
