import Bluetooth
import HTTPServer
import LunaCore
import LunaFleet
import LunaJSON
import WebAccess

/// `/v1/session`, `/v1/sessions`: signing in and out with a browser.
enum SessionEndpoints {
  /// What requests of people who sign in may have, and how many of them are worked on.
  static let limits = EndpointLimits(bodyBytes: 4096, requests: 512)
  private static let plain =
    "Passwords could be read on the way (`plainHttp`), or the page is another site's."
  static let browserProblems: [(status: Int, when: String)] = [
    (403, plain), (404, "There is no console."),
    (421, "Browsers find this server by another name."),
  ]
  static let signInProblems =
    browserProblems + [
      (429, "Too many tries from one address, or for one name; see Retry-After.")
    ]

  static let declarations = [
    Endpoint(
      "POST", "/v1/session", "signIn", "Sign in with name and password.", access: .open,
      body: "SignIn", limits: limits,
      replies: [
        .init(
          200, "Signed in, or a code is needed as well: then the cookie opens nothing but that.",
          json: "SignInReply")
      ], problems: signInProblems + [(401, "Name or password is wrong.")]
    ) { api, call in try await signIn(api, call) },
    Endpoint(
      "POST", "/v1/session/totp", "signInCode",
      "Give the code of the second factor, or a recovery code, after the password.", access: .open,
      body: "Code", limits: limits, replies: [.init(200, "Signed in.", json: "SessionBegun")],
      problems: signInProblems + [(401, "The code is wrong, or there was no password before it.")]
    ) { api, call in try await signInCode(api, call) },
    Endpoint(
      "GET", "/v1/session", "getSession", "See who is signed in.", access: .open,
      replies: [.init(200, "Who it is, if anybody.", json: "SessionState")],
      problems: browserProblems + [(401, "The token is unknown or revoked.")]
    ) { api, call in try await state(api, call) },
    Endpoint(
      "DELETE", "/v1/session", "signOut", "Sign out.", access: .open,
      replies: [.init(204, "Nobody is signed in.")], problems: browserProblems
    ) { api, call in try await signOut(api, call) },
    Endpoint(
      "GET", "/v1/sessions", "listSessions",
      "See where one is signed in; an admin, where the one is who is called `account`.",
      access: .role(.viewer), query: [.init(name: "account", schema: ["type": "string"])],
      replies: [.init(200, "The sessions.", json: "SessionList")],
      problems: [(404, "There is no such account.")]
    ) { api, call in
      let caller = try call.account()
      let name = try await account(api, call, caller)
      let sessions = try await api.accounts.sessions(of: name, at: call.time)
      return HTTPResponse(
        200,
        json: ["sessions": .array(sessions.map { json($0, isThis: $0.id == caller.session?.id) })])
    },
    Endpoint(
      "DELETE", "/v1/sessions", "endSessions", "Sign out everywhere else.", access: .session,
      replies: [.init(204, "They are over.")]
    ) { api, call in
      let caller = try call.account()
      let count = try await api.accounts.by(caller).endSessions(
        of: caller.name, but: caller.session?.id, at: call.time)
      api.audit("sessions ended", by: caller, ["count": .integer(Int64(count))])
      return HTTPResponse(204, nil, [])
    },
    Endpoint(
      "DELETE", "/v1/sessions/{id}", "endSession",
      "End a session of one's own; an admin, any.", access: .role(.viewer),
      replies: [.init(204, "It is over.")], problems: [(404, "There is no such session.")]
    ) { api, call in
      let caller = try call.account()
      let owner = caller.rights == .admin ? nil : caller.name
      guard try await api.accounts.endSession(call.parameter, of: owner) else {
        throw ProblemDocument.notFound("no session of this account has this id")
      }
      api.audit("session ended", by: caller, ["session": .string(call.parameter)])
      try await api.accounts.by(caller).note(
        AuditEntry(.session, call.parameter, .remove), at: call.time)
      return HTTPResponse(204, nil, [])
    },
  ]

  /// One text for every cause.
  static let wrong = ProblemDocument(
    401, "signIn", "This did not sign in.", detail: "the name, the password or the code is wrong")

  /// Whose sessions are asked for.
  private static func account(
    _ api: API, _ call: APICall, _ caller: Caller
  ) async throws -> String {
    guard let name = try call.query("account"), name != caller.name else { return caller.name }
    guard caller.may(.role(.admin)) else { throw ProblemDocument.forbidden(.role(.admin)) }
    // What cannot be a name is not looked for.
    guard AccountRule.isName(name), try await api.accounts.account(name) != nil else {
      throw ProblemDocument(AccountRefusal.unknown)
    }
    return name
  }

  private static func json(_ session: Session, isThis: Bool) -> JSONValue {
    var object: JSONObject = [
      "id": .string(session.id), "method": .string(session.method), "current": .bool(isThis),
      "createdAt": .string(session.createdAt.rfc3339), "seenAt": .string(session.seenAt.rfc3339),
      "expiresAt": .string(session.expiresAt.rfc3339),
    ]
    if let address = session.address { object.append("address", .string(address)) }
    if let agent = session.agent { object.append("agent", .string(agent)) }
    return .object(object)
  }

  /// What every request of somebody who is not signed in yet has to be like.
  static func checkBrowser(_ api: API, _ call: APICall) throws {
    _ = try api.browsers.place()
    try api.browsers.checkHost(call.request.head)
    if BrowserGuard.isUnsafe(call.request.head) {
      try api.browsers.checkOrigin(call.request.head)
    }
  }

  /// Counts an attempt of an address.
  static func checkRate(_ api: API, _ call: APICall) throws(ProblemDocument) {
    guard let seconds = api.signIns.take(1, for: call.request.client) else { return }
    throw ProblemDocument(
      429, "rateLimited", "Too many tries.", detail: "the limit is for each address",
      retryAfter: max(1, seconds))
  }

  private static func signIn(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    try checkBrowser(api, call)
    let members = try call.members(api)
    let (given, password) = (try members.string("name"), try members.string("password"))
    try checkRate(api, call)
    // Names that cannot be are all one: nobody has them.
    let name = AccountRule.isName(given) ? given : ""
    let predecessor = api.browsers.secret(call.request.head)
    let credentials = try await api.passwords.attempt(name) {
      let credentials = try await api.accounts.credentials(name)
      guard try await api.passwords.matches(password, credentials?.password), let credentials else {
        try await api.auditFailure(credentials == nil ? nil : name, method: "password")
        return (AccountStore.Credentials?.none, false)
      }
      return (credentials, credentials.hasSecondFactor ? nil : true)
    }
    guard let credentials else { throw wrong }
    let session = try call.newSession(
      credentials.hasSecondFactor ? .codeNeeded : .signedIn, method: "password")
    // It may have been removed in this very moment.
    guard try await api.accounts.begin(session, account: name, after: predecessor, at: call.time)
    else { throw wrong }
    if credentials.hasSecondFactor {
      return begun(api, session, ["totpNeeded": true], status: 200)
    }
    api.audit("signed in", by: nil, ["account": .string(name)])
    return try begun(api, session, account: name, credentials.role, status: 200)
  }

  private static func signInCode(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    try checkBrowser(api, call)
    let code = try call.members(api).string("code")
    guard let secret = api.browsers.secret(call.request.head),
      let (waiting, _) = try await api.accounts.session(secret, at: call.time),
      waiting.state == .codeNeeded
    else { throw wrong }
    let session = try call.newSession(method: "code")
    let result = try await api.passwords.attempt(waiting.account) {
      let result = try await api.accounts.enter(
        code, for: secret, successor: session, at: api.configuration.now())
      switch result {
      case .signedIn: return (result, true)
      case .wrong: return (result, false)
      case .none: return (result, nil)
      }
    }
    guard case .signedIn(let role) = result else {
      try await api.auditFailure(waiting.account, method: "code")
      throw wrong
    }
    api.audit("signed in", by: nil, ["account": .string(waiting.account)])
    return try begun(api, session, account: waiting.account, role, status: 200)
  }

  /// The answer with which a session begins.
  static func begun(
    _ api: API, _ session: NewSession, account: String, _ role: AccountRole, status: Int
  ) throws -> HTTPResponse {
    begun(
      api, session,
      [
        "account": .string(account), "role": .string(role.rawValue),
        "csrf": .string(try BrowserGuard.token(session.secret)),
      ], status: status)
  }

  private static func begun(
    _ api: API, _ session: NewSession, _ json: JSONValue, status: Int
  ) -> HTTPResponse {
    var response = HTTPResponse(status, json: json)
    if let cookie = api.browsers.cookie(session.secret, session.state) { response.set(cookie) }
    return response
  }

  private static func state(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let issuers = JSONValue.array(
      api.foreignSignIns.issuers.map {
        ["issuer": .string($0.issuer.issuer), "name": .string($0.name)]
      })
    var object: JSONObject = ["issuers": issuers]
    if call.request.head.first("authorization") == nil { try checkBrowser(api, call) }
    if let caller = try await api.caller(call.request, at: call.time) {
      guard caller.kind == .account, let rights = caller.rights else {
        return HTTPResponse(200, json: ["signedIn": false, "issuers": issuers])
      }
      object.append("signedIn", true)
      object.append("account", .string(caller.name))
      object.append("role", .string(rights.rawValue))
      if caller.session != nil, let secret = api.browsers.secret(call.request.head) {
        object.append("csrf", .string(try BrowserGuard.token(secret)))
        let account = try await api.accounts.account(caller.name)
        object.append("totp", .bool(account?.hasSecondFactor ?? false))
        if api.configuration.recordsUsage { object.append("recordsUsage", true) }
        // What a page asks for from here on is not older than this: a stream can begin there.
        object.append("change", .integer(try await api.streams.newest()))
      }
      return HTTPResponse(200, json: .object(object))
    }
    object.append("signedIn", false)
    if let secret = api.browsers.secret(call.request.head),
      try await api.accounts.session(secret, at: call.time)?.session.state == .codeNeeded
    {
      object.append("totpNeeded", true)
    }
    if try await api.accounts.isEmpty() { object.append("setupNeeded", true) }
    return HTTPResponse(200, json: .object(object))
  }

  private static func signOut(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    _ = try api.browsers.place()
    try api.browsers.checkHost(call.request.head)
    if let secret = api.browsers.secret(call.request.head) {
      try api.browsers.checkOrigin(call.request.head)
      if let (session, _) = try await api.accounts.session(secret, at: call.time) {
        // Half a session has not told its token yet.
        if session.state == .signedIn { try BrowserGuard.checkToken(call.request.head, secret) }
        try await api.accounts.end(secret)
        api.audit("signed out", by: nil, ["account": .string(session.account)])
        try await AccountStore(api.storage, actor: session.account).note(
          AuditEntry(.session, session.account, .signOut), at: call.time)
      }
    }
    var response = HTTPResponse(204, nil, [])
    if let cookie = api.browsers.noCookie { response.set(cookie) }
    return response
  }
}
