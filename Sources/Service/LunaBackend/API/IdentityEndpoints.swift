import HTTPServer
import LunaCore
import LunaJSON
import WebAccess

/// `/v1/identities`: for whom those stand whom issuers of others know.
enum IdentityEndpoints {
  static let declarations = [
    Endpoint(
      "GET", "/v1/identities", "listIdentities",
      "See for whom those stand whom other issuers know, and who waits for an admin.",
      access: .role(.admin), replies: [.init(200, "The identities.", json: "IdentityList")]
    ) { api, _ in
      let identities = try await api.accounts.identities()
      return HTTPResponse(200, json: ["identities": .array(identities.map(json))])
    },
    Endpoint(
      "GET", "/v1/identities/{id}", "getIdentity", "See for whom somebody stands.",
      access: .role(.admin), replies: [.init(200, "The identity.", json: "Identity")],
      problems: [(404, "There is no such identity.")]
    ) { api, call in
      guard let identity = try await api.accounts.identity(call.parameter) else { throw unknown }
      return HTTPResponse(200, json: json(identity))
    },
    Endpoint(
      "PUT", "/v1/identities/{id}", "setIdentity",
      "Say for whom somebody stands: an account, a gateway or an owner. With a role an account is "
        + "made where there is none of that name.",
      access: .role(.admin), body: "IdentityChange",
      replies: [.init(200, "The identity.", json: "Identity")],
      problems: [
        (404, "There is no such identity, or no such account."), lastAdmin,
        (422, "This cannot be a name."),
      ]
    ) { api, call in try await set(api, call) },
    Endpoint(
      "DELETE", "/v1/identities/{id}", "removeIdentity",
      "Forget for whom somebody stands.", access: .role(.admin),
      replies: [.init(204, "It is forgotten.")],
      problems: [(404, "There is no such identity."), lastAdmin]
    ) { api, call in
      if let refusal = try await api.accounts.by(call.caller).removeIdentity(
        call.parameter, at: call.time)
      {
        throw refusal == .unknown ? unknown : ProblemDocument(refusal)
      }
      api.audit("identity removed", by: call.caller, ["identity": .string(call.parameter)])
      return HTTPResponse(204, nil, [])
    },
  ]

  private static let lastAdmin = (409, "No admin could sign in any more.")
  private static let unknown = ProblemDocument.notFound("no identity has this id")

  private static func json(_ identity: ForeignIdentity) -> JSONValue {
    var object: JSONObject = [
      "id": .string(identity.id), "issuer": .string(identity.subject.issuer),
      "subject": .string(identity.subject.subject),
      "state": .string(identity.holder == .waiting ? "waiting" : "linked"),
      "createdAt": .string(identity.createdAt.rfc3339),
      "seenAt": .string(identity.seenAt.rfc3339),
    ]
    if let name = identity.holder.name {
      object.append(identity.holder.kind, .string(name))
    }
    if let label = identity.label { object.append("label", .string(label)) }
    return .object(object)
  }

  private static func set(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let members = try call.members(api)
    let names = try ["account", "gateway", "owner"].map { name throws(FormatError) in
      try members.optionalString(name, limit: 64)
    }
    let holder: ForeignIdentity.Holder
    switch (names[0], names[1], names[2]) {
    case (let name?, nil, nil):
      guard AccountRule.isName(name) else { throw ProblemDocument.accountName }
      holder = .account(name)
    case (nil, let key?, nil) where TokenRecord.isName(key): holder = .gateway(key: key)
    case (nil, nil, let name?) where TokenRecord.isName(name): holder = .owner(name)
    case (nil, _?, nil), (nil, nil, _?):
      throw ProblemDocument(
        422, "name", "This cannot be a name.",
        detail: "1 to 64 letters, digits, dots, hyphens and underscores")
    default: throw FormatError("the body", "has not one of account, gateway and owner")
    }
    let role = try members.optionalString("role", limit: 16).map {
      text throws(FormatError) -> AccountRole in
      guard let role = AccountRole(rawValue: text) else {
        throw FormatError("role", "is not viewer, operator or admin")
      }
      return role
    }
    if let refusal = try await api.accounts.by(call.caller).set(
      call.parameter, holder, role: role, at: call.time)
    {
      throw ProblemDocument(refusal)
    }
    guard let identity = try await api.accounts.identity(call.parameter) else { throw unknown }
    api.audit(
      "identity linked", by: call.caller,
      ["identity": .string(identity.id), "kind": .string(holder.kind)])
    return HTTPResponse(200, json: json(identity))
  }
}
