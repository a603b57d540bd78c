import Bluetooth
import Diagnosis
import HTTPServer
import LunaCore
import LunaHome
import LunaJSON
import LunaProtocol
import QRCodes
import WebAccess

/// `accounts`: who may sign in.
enum AccountEndpoints {
  private static let problems: [(status: Int, when: String)] = [
    (404, "There is no such account."),
    (409, "An account has this name, or no owner would be left whose right does not end."),
    (422, "This cannot be a name."),
  ]
  private static let changes =
    problems + [(412, "Somebody has changed it meanwhile."), (428, "If-Match is missing.")]

  static let all = [
    HomeEndpoint(
      "GET", "accounts", "listAccounts", "See the accounts.", .role(.owner), answer: "Accounts"
    ) { api, _ in
      HTTPResponse(200, json: ["accounts": .array(try await api.accounts.accounts().map(json))])
    },
    HomeEndpoint(
      "GET", "accounts/{name}", "getAccount", "See an account.", .role(.owner),
      answer: "ShownAccount", problems: [(404, "There is no such account.")]
    ) { api, call in
      let account = try await find(api, call)
      var response = HTTPResponse(200, json: json(account))
      response.headers.append(("ETag", try HomeObject.tag(of: version(account))))
      return response
    },
    HomeEndpoint(
      "POST", "accounts", "addAccount",
      "Make an account. Whoever gets the link makes its password.", .role(.owner),
      body: "Account", 201, problems: problems
    ) { api, call in
      let members = try call.members()
      let name = try members.string("name")
      guard AccountRule.isName(name) else {
        throw ProblemDocument(
          422, "name", "This cannot be a name.",
          detail: AccountRule.nameWords,
          members: ["field": "name"])
      }
      let (role, trackers, see, until) = try rights(members)
      let secret = try await api.accounts.add(
        name, role, trackers: trackers, see: see, until: until, at: call.time)
      return linked("join", secret, api, call, ["name": .string(name)])
    },
    HomeEndpoint(
      "PUT", "accounts/{name}", "changeAccount",
      "Change what an account may do; it has to sign in again.", .role(.owner), body: "Account",
      204, problems: changes
    ) { api, call in
      let (role, trackers, see, until) = try rights(try call.members())
      try await api.changes.enter { () async throws -> Void in
        try await check(api, call)
        try await api.accounts.setRole(
          call.parameter, role, trackers: trackers, see: see, until: until, at: call.time)
      }
      return HTTPResponse(204, nil, [])
    },
    HomeEndpoint(
      "POST", "accounts/{name}/reset", "resetAccount",
      "Make a link with which somebody makes another password.", .role(.owner), 201,
      problems: problems
    ) { api, call in
      let secret = try await api.accounts.reset(call.parameter, at: call.time)
      return linked("reset", secret, api, call)
    },
    HomeEndpoint(
      "DELETE", "accounts/{name}", "removeAccount",
      "Remove an account, with all that it is signed in with.", .role(.owner), 204,
      problems: changes
    ) { api, call in
      try await api.changes.enter { () async throws -> Void in
        try await check(api, call)
        try await api.accounts.remove(call.parameter)
      }
      return HTTPResponse(204, nil, [])
    },
  ]

  private static func find(_ api: HomeAPI, _ call: HomeCall) async throws -> HomeAccount {
    guard let account = try await api.accounts.account(call.parameter) else {
      throw HomeAccountRefusal.unknown
    }
    return account
  }

  /// Refuses to change what somebody else has changed meanwhile.
  private static func check(_ api: HomeAPI, _ call: HomeCall) async throws {
    let account = try await find(api, call)
    try ListedObject(id: account.name, value: version(account), line: nil).check(call)
  }

  /// What owners change of it: not whether somebody has signed in since.
  private static func version(_ account: HomeAccount) -> JSONValue {
    guard case .object(var object) = json(account) else { return .null }
    object.members.removeAll { ["state", "totp"].contains($0.name) }
    return .object(object)
  }

  private static func json(_ account: HomeAccount) -> JSONValue {
    [
      "name": .string(account.name), "role": .string(account.role.rawValue),
      "state": account.canSignIn ? "active" : "invited", "totp": .bool(account.hasSecondFactor),
      "trackers": .array(account.rights.filter(\.rings).map { .string($0.tracker) }),
      "see": .array(account.rights.filter { !$0.rings }.map { .string($0.tracker) }),
      "until": account.until.map { .string($0.rfc3339) } ?? .null,
      "createdAt": .string(account.createdAt.rfc3339),
    ]
  }

  /// - Returns: the role; the trackers that a guest sees and rings, and those that a guest only sees; until when.
  private static func rights(
    _ members: JSONMembers
  ) throws -> (HomeRole, [String], [String], Timestamp?) {
    guard let role = HomeRole(rawValue: try members.string("role")) else {
      throw FormatError("role", "is not owner, member or guest")
    }
    let (trackers, see) = (try trackers("trackers", members), try trackers("see", members))
    guard let text = try members.optionalString("until", limit: 40) else {
      return (role, trackers, see, nil)
    }
    guard let until = Timestamp(rfc3339: text) else {
      throw FormatError("until", "is not a time as 2026-01-31T12:00:00Z")
    }
    return (role, trackers, see, until)
  }

  private static func trackers(
    _ name: String, _ members: JSONMembers
  ) throws(FormatError) -> [String] {
    guard members.optional(name) != nil else { return [] }
    return try members.array(name).map { value throws(FormatError) in
      // What an id cannot have, the list of them has between them.
      guard let text = value.text, !text.contains("\n"), !text.contains("=") else {
        throw FormatError(name, "is not a list of trackers")
      }
      return text
    }
  }

  /// Answers with a link, and with its QR code, as an address of its own would tell the secret to logs.
  private static func linked(
    _ kind: String, _ secret: RandomSecret, _ api: HomeAPI, _ call: HomeCall,
    _ members: JSONObject = [:]
  ) -> HTTPResponse {
    let link = "\(api.browsers.base(for: call.request.head))/\(kind)#\(secret.text)"
    let picture = QRCode(link, level: .low)?.png(scale: 4)
    var object = members
    object.append("link", .string(link))
    object.append(
      "picture",
      picture.map { .string("data:image/png;base64," + Base64.encode($0.span)) } ?? .null)
    return HTTPResponse(201, json: .object(object))
  }
}
