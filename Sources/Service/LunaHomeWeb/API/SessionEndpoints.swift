import Diagnosis
import HTTPServer
import LunaCrypto
import LunaHome
import LunaJSON
import WebAccess

/// `session`, `setup`, `join`, `reset`: signing in and out.
enum SessionEndpoints {
  static let problems: [(status: Int, when: String)] = [
    (401, "The name, the password or the code is wrong."),
    (403, "This comes from the page of another site, or the file wants a backend that answers."),
    (429, "Too many tries; see Retry-After."),
  ]
  private static let linkProblems: [(status: Int, when: String)] = [
    (403, "The link is not good, or this comes from the page of another site."),
    (422, "The name or the password cannot be."), (429, "Too many tries; see Retry-After."),
  ]

  static let all = [
    HomeEndpoint(
      "GET", "session", "getSession", "See who is signed in, if anybody.", .open,
      problems: [(401, "The token is unknown.")]
    ) { api, call in try await state(api, call) },
    HomeEndpoint(
      "POST", "session", "signIn", "Sign in with name and password.", .open, body: "SignIn",
      problems: problems
    ) { api, call in try await signIn(api, call) },
    HomeEndpoint(
      "POST", "session/totp", "signInCode",
      "Give the code of the second factor, or a recovery code, after the password.", .open,
      body: "Code", problems: problems
    ) { api, call in try await signInCode(api, call) },
    HomeEndpoint("DELETE", "session", "signOut", "Sign out.", .open, 204) { api, call in
      if let secret = api.browsers.secret(call.request.head) {
        try api.browsers.checkOrigin(call.request.head)
        if let (session, _) = try await api.accounts.session(secret, at: call.time) {
          let token = call.request.head.first("x-luna-csrf")
          // Half a session has not told its token yet.
          guard try session.needsCode || CSRFToken.isRight(token, of: secret) else {
            throw HomeBrowsers.csrf
          }
          try await api.accounts.end(secret)
        }
      }
      return answer(api, call, nil, HTTPResponse(204, nil, []))
    },
    HomeEndpoint(
      "POST", "setup", "setUp",
      "Make the first account, with the link that was printed; or sign in as its owner, without name and password.",
      .open, body: "Setup", 201, problems: linkProblems
    ) { api, call in try await use(.setup, api, call) },
    HomeEndpoint(
      "POST", "join", "join", "Make the password of an account that was invited.", .open,
      body: "LinkUse", 201, problems: linkProblems
    ) { api, call in try await use(.join, api, call) },
    HomeEndpoint(
      "POST", "reset", "resetPassword", "Make another password, with a link.", .open,
      body: "LinkUse", 201, problems: linkProblems
    ) { api, call in try await use(.reset, api, call) },
  ]

  /// One text for every cause.
  static let wrong = ProblemDocument(
    401, "signIn", "This did not sign in.", detail: "the name, the password or the code is wrong")

  private static func answer(
    _ api: HomeAPI, _ call: HomeCall, _ secret: RandomSecret?, _ response: HTTPResponse
  ) -> HTTPResponse {
    var response = response
    if let cookie = api.browsers.cookie(secret, for: call.request.head) { response.set(cookie) }
    return response
  }

  /// The answer with which a session begins.
  static func begun(
    _ api: HomeAPI, _ call: HomeCall, _ secret: RandomSecret, _ account: HomeAccount, status: Int
  ) throws -> HTTPResponse {
    answer(
      api, call, secret,
      HTTPResponse(
        status,
        json: [
          "account": .string(account.name), "role": .string(account.role.rawValue),
          "csrf": .string(try CSRFToken.of(secret)),
        ]))
  }

  private static func state(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    if let caller = try await api.caller(call.request, at: call.time) {
      return HTTPResponse(200, json: try await SelfEndpoints.json(of: caller, api, call))
    }
    var object: JSONObject = ["signedIn": false]
    if let secret = api.browsers.secret(call.request.head),
      try await api.accounts.session(secret, at: call.time)?.session.needsCode == true
    {
      object.append("totpNeeded", true)
    }
    if try await api.accounts.isEmpty() { object.append("setupNeeded", true) }
    if api.browsers.party(for: call.request.head) != nil, try await api.accounts.hasPasskeys() {
      object.append("passkeys", true)
    }
    if await api.home.hasMail { object.append("mail", true) }
    if let signIn = api.signIn { object.append("issuer", .string(signIn.name)) }
    return HTTPResponse(200, json: .object(object))
  }

  private static func signIn(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    try api.browsers.checkOrigin(call.request.head)
    let members = try call.members()
    let (given, password) = (try members.string("name"), try members.string("password"))
    try api.checkRate(call)
    // Names that cannot be are all one: nobody has them.
    let name = AccountRule.isName(given) ? given : ""
    let account = try await api.passwords.attempt(name) {
      let known = try await api.accounts.credentials(name)
      guard try await api.passwords.matches(password, known?.password), let known,
        known.account.isGood(at: call.time)
      else { return (HomeAccount?.none, false) }
      return (known.account, known.account.hasSecondFactor ? nil : true)
    }
    guard let account else { throw wrong }
    return try await begin(account, api, call, needsCode: account.hasSecondFactor)
  }

  /// Begins the session of who has shown who it is, where anybody may sign in now.
  ///
  /// - Parameter needsCode: whether the code of the second factor is still needed.
  static func begin(
    _ account: HomeAccount, _ api: HomeAPI, _ call: HomeCall, needsCode: Bool = false
  ) async throws -> HTTPResponse {
    if let reason = await api.home.signInRefusal() {
      throw ProblemDocument(403, "offline", "Nobody can sign in now.", detail: reason)
    }
    let secret = try RandomSecret()
    try await api.accounts.begin(
      secret, account.name, needsCode: needsCode, agent: call.agent,
      after: api.browsers.secret(call.request.head), at: call.time)
    if needsCode {
      return answer(api, call, secret, HTTPResponse(200, json: ["totpNeeded": true]))
    }
    return try begun(api, call, secret, account, status: 200)
  }

  private static func signInCode(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    try api.browsers.checkOrigin(call.request.head)
    let code = try call.members().string("code")
    guard let waiting = api.browsers.secret(call.request.head),
      let (session, account) = try await api.accounts.session(waiting, at: call.time),
      session.needsCode
    else { throw wrong }
    let isRight = try await api.passwords.attempt(account.name) {
      let isRight = try await api.accounts.use(code, of: account.name, at: call.time)
      if !isRight { try await api.accounts.missed(waiting) }
      return (isRight, isRight)
    }
    guard isRight else { throw wrong }
    let secret = try RandomSecret()
    try await api.accounts.begin(
      secret, account.name, needsCode: false, agent: call.agent, after: waiting, at: call.time)
    return try begun(api, call, secret, account, status: 200)
  }

  private static func use(
    _ kind: HomeLinkKind, _ api: HomeAPI, _ call: HomeCall
  ) async throws -> HTTPResponse {
    try api.browsers.checkOrigin(call.request.head)
    let members = try call.members()
    let text = try members.string("secret")
    let password = try members.optionalString("password", limit: 1024) ?? ""
    let given = try members.optionalString("name", limit: 64) ?? ""
    try api.checkRate(call)
    guard let secret = RandomSecret(text),
      let holder = try await api.accounts.holder(of: secret, kind, at: call.time)
    else { throw HomeAccountRefusal.link }
    if kind == .setup, let owner = try await api.accounts.owner() {
      let session = try RandomSecret()
      try await api.accounts.redeem(
        secret, for: owner.name, session: session, agent: call.agent, at: call.time)
      return try begun(api, call, session, owner, status: 201)
    }
    // An account that was made has its name already.
    let name = kind == .setup ? given : holder
    guard AccountRule.isName(name) else {
      throw ProblemDocument(
        422, "name", "This cannot be a name.",
        detail: AccountRule.nameWords,
        members: ["field": "name"])
    }
    guard AccountRule.isPassword(password) else { throw passwordRule }
    let hash = try await api.passwords.hash(password)
    let session = try RandomSecret()
    let account = try await api.accounts.redeem(
      secret, kind, name: name, password: hash, session: session, agent: call.agent, at: call.time)
    return try begun(api, call, session, account, status: 201)
  }

  static let passwordRule = ProblemDocument(
    422, "password", "This cannot be a password.",
    detail: "at least 12 characters, at most 256 bytes", members: ["field": "password"])
}
