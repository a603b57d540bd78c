import Bluetooth
import HTTPServer
import LunaJSON
import QRCodes
import WebAccess

/// `/v1/me`: one's own password and second factor.
enum SelfEndpoints {
  /// What an authenticator calls this server.
  private static let issuer = "Luna"
  /// For so long after signing in nobody else can have come to the browser.
  private static let fresh = Duration.seconds(600)
  private static let wrong = "The password is wrong, or the call is not from one's own browser."

  static let declarations = [
    Endpoint(
      "PUT", "/v1/me/password", "changePassword",
      "Change one's password. All other sessions end, and this one becomes a new one.",
      access: .session, body: "PasswordChange", limits: SessionEndpoints.limits,
      replies: [.init(200, "It is changed.", json: "SessionBegun")],
      problems: [(403, wrong), (422, "The new password cannot be.")]
    ) { api, call in try await changePassword(api, call) },
    Endpoint(
      "POST", "/v1/me/totp", "proposeSecondFactor",
      "Get a secret for an authenticator (RFC 6238). It counts only once a code of it was given.",
      access: .session, replies: [.init(200, "The secret.", json: "SecondFactor")],
      problems: [(409, "There is a second factor already.")]
    ) { api, call in
      let caller = try call.account()
      let code = try OneTimeCode()
      if let refusal = try await api.accounts.propose(code, for: caller.name) {
        throw ProblemDocument(refusal)
      }
      let uri = code.uri(account: caller.name, issuer: issuer)
      var json: JSONObject = [
        "secret": .string(Base32.text(code.secret)), "uri": .string(uri),
      ]
      if let picture = QRCode.address(of: uri) { json.append("picture", .string(picture)) }
      return HTTPResponse(200, json: .object(json))
    },
    Endpoint(
      "PUT", "/v1/me/totp", "turnSecondFactorOn",
      "Turn the second factor on with a code, and with the password where signing in is a while ago. "
        + "The recovery codes are not shown again.",
      access: .session, body: "CodeAndPassword", limits: SessionEndpoints.limits,
      replies: [.init(200, "It is on.", json: "RecoveryCodes")],
      problems: [
        (403, "The password is wrong, or needed, or the call is not from one's own browser."),
        (409, "There is no secret that waits for a code."), (422, "The code is wrong."),
      ]
    ) { api, call in try await turnOn(api, call) },
    Endpoint(
      "DELETE", "/v1/me/totp", "turnSecondFactorOff", "Turn the second factor off.",
      access: .session, body: "Password", limits: SessionEndpoints.limits,
      replies: [.init(204, "It is off.")], problems: [(403, wrong)]
    ) { api, call in
      let caller = try call.account()
      let password = try call.members(api).string("password")
      _ = try await check(password, of: caller, api)
      try await api.accounts.removeSecondFactor(caller.name, at: call.time)
      api.audit("second factor off", by: caller)
      return HTTPResponse(204, nil, [])
    },
  ]

  /// The password that is kept, where it is this one. Tries count as those of signing in.
  private static func check(
    _ password: String, of caller: Caller, _ api: API
  ) async throws -> PasswordHash {
    let hash = try await api.passwords.attempt(caller.name) {
      let hash = try await api.accounts.credentials(caller.name)?.password
      let isGood = try await api.passwords.matches(password, hash)
      return (isGood ? hash : nil, isGood)
    }
    guard let hash else { throw ProblemDocument.passwordWrong }
    return hash
  }

  private static func changePassword(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let caller = try call.account()
    let members = try call.members(api)
    let (old, new) = (try members.string("old"), try members.string("new"))
    guard AccountRule.isPassword(new) else { throw ProblemDocument.passwordRule }
    let hash = try await check(old, of: caller, api)
    let next = try await api.passwords.hash(new)
    let session = try call.newSession(method: caller.session?.method ?? "password")
    guard
      try await api.accounts.setPassword(
        caller.name, next, replacing: hash, successor: session, at: call.time)
    else { throw ProblemDocument.passwordWrong }
    api.audit("password changed", by: caller)
    return try SessionEndpoints.begun(
      api, session, account: caller.name, caller.rights ?? .viewer, status: 200)
  }

  private static func turnOn(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let caller = try call.account()
    let members = try call.members(api)
    let code = try members.string("code")
    if members.optional("password") != nil {
      _ = try await check(try members.string("password"), of: caller, api)
    } else if let session = caller.session, call.time > session.createdAt.advanced(by: fresh) {
      // Whoever found the browser open must not lock its owner out.
      throw ProblemDocument(
        403, "passwordNeeded", "The password is needed.",
        detail: "signing in is a while ago: give the password too")
    }
    let recovery = try RecoveryCode.make()
    let digests = try RecoveryCode.digests(recovery)
    let isOn = try await api.passwords.attempt(caller.name) {
      let isOn = try await api.accounts.confirm(
        code, for: caller.name, recovery: digests, at: api.configuration.now())
      return (isOn, isOn)
    }
    switch isOn {
    case true?:
      api.audit("second factor on", by: caller)
      return HTTPResponse(
        200, json: ["recoveryCodes": .array(recovery.map { .string($0) })])
    case false?: throw ProblemDocument.codeWrong
    case nil: throw ProblemDocument(AccountRefusal.secondFactor)
    }
  }
}
