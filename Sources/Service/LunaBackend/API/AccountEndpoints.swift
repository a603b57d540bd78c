import Bluetooth
import HTTPServer
import LunaCore
import LunaJSON
import QRCodes
import WebAccess

/// `/v1/accounts`: who may sign in.
enum AccountEndpoints {
  static let declarations = [
    Endpoint(
      "GET", "/v1/accounts", "listAccounts", "See the accounts.", access: .role(.admin),
      replies: [.init(200, "The accounts.", json: "AccountList")]
    ) { api, _ in
      let accounts = try await api.accounts.accounts()
      return HTTPResponse(200, json: ["accounts": .array(accounts.map(json))])
    },
    Endpoint(
      "POST", "/v1/accounts", "addAccount",
      "Make an account. Whoever gets the link makes its password.", access: .role(.admin),
      body: "NewAccount", replies: [.init(201, "The account and its link.", json: "AccountReply")],
      problems: [
        (409, "An account has this name."), (422, "This cannot be a name."),
      ]
    ) { api, call in try await add(api, call) },
    Endpoint(
      "PATCH", "/v1/accounts/{name}", "changeAccount",
      "Change the role of an account, which has to sign in again, or make another link for who has "
        + "lost the password.",
      access: .role(.admin), body: "AccountChange",
      replies: [.init(200, "The account, and the link.", json: "AccountReply")],
      problems: [(404, "There is no such account."), (409, "It is the last admin.")]
    ) { api, call in try await change(api, call) },
    Endpoint(
      "DELETE", "/v1/accounts/{name}", "removeAccount",
      "Remove an account, with all that it is signed in with.", access: .role(.admin),
      replies: [.init(204, "It is gone.")],
      problems: [(404, "There is no such account."), (409, "It is the last admin.")]
    ) { api, call in
      if let refusal = try await api.accounts.by(call.caller).remove(
        call.parameter, at: call.time)
      {
        throw ProblemDocument(refusal)
      }
      api.audit("account removed", by: call.caller, ["account": .string(call.parameter)])
      return HTTPResponse(204, nil, [])
    },
  ]

  private static func json(_ account: Account) -> JSONValue {
    [
      "name": .string(account.name), "role": .string(account.role.rawValue),
      "state": .string(account.canSignIn ? "active" : "invited"),
      "totp": .bool(account.hasSecondFactor), "createdAt": .string(account.createdAt.rfc3339),
    ]
  }

  private static func reply(
    _ status: Int, _ api: API, _ name: String, _ link: AccountLink?
  ) async throws -> HTTPResponse {
    guard let account = try await api.accounts.account(name) else {
      throw ProblemDocument(AccountRefusal.unknown)
    }
    var object: JSONObject = ["account": json(account)]
    if let link {
      // A link is for browsers; where there are none, the secret has nowhere to go.
      if case .on(let url) = api.browsers.current {
        let text = link.text(url)
        object.append("invitation", .string(text))
        if let picture = QRCode.address(of: text) { object.append("picture", .string(picture)) }
      }
      object.append("secret", .string(link.secret.text))
      object.append("expiresAt", .string(link.expiresAt.rfc3339))
    }
    return HTTPResponse(status, json: .object(object))
  }

  private static func role(_ members: JSONMembers) throws -> AccountRole {
    guard let role = AccountRole(rawValue: try members.string("role")) else {
      throw FormatError("role", "is not viewer, operator or admin")
    }
    return role
  }

  private static func add(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let members = try call.members(api)
    let (name, role) = (try members.string("name"), try role(members))
    guard AccountRule.isName(name) else { throw ProblemDocument.accountName }
    let link = try AccountLink(.invitation, at: call.time)
    if let refusal = try await api.accounts.by(call.caller).add(
      name, role, link, at: call.time)
    {
      throw ProblemDocument(refusal)
    }
    api.audit(
      "account added", by: call.caller,
      ["account": .string(name), "role": .string(role.rawValue)])
    return try await reply(201, api, name, link)
  }

  private static func change(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let members = try call.members(api)
    let name = call.parameter
    let role = try members.optional("role") == nil ? nil : role(members)
    var isInvited = false
    if let value = members.optional("invite") {
      guard case .bool(let flag) = value else {
        throw FormatError("invite", "is not true or false")
      }
      isInvited = flag
    }
    var session: NewSession?
    if let role {
      // Whoever changes the own role goes on in a new session.
      if let caller = call.caller, let old = caller.session, caller.name == name,
        caller.rights != role
      {
        session = try call.newSession(method: old.method)
      }
      if let refusal = try await api.accounts.by(call.caller).setRole(
        name, role, successor: session, at: call.time)
      {
        throw ProblemDocument(refusal)
      }
      api.audit(
        "role changed", by: call.caller,
        ["account": .string(name), "role": .string(role.rawValue)])
    }
    var link: AccountLink?
    if isInvited {
      let new = try AccountLink(.invitation, at: call.time)
      guard try await api.accounts.by(call.caller).invite(name, new, at: call.time) else {
        throw ProblemDocument(AccountRefusal.unknown)
      }
      link = new
      api.audit("account invited", by: call.caller, ["account": .string(name)])
    }
    var response = try await reply(200, api, name, link)
    if let session, let cookie = api.browsers.cookie(session.secret, session.state) {
      response.set(cookie)
    }
    return response
  }
}
