import Bluetooth
import Diagnosis
import HTTPServer
import LunaCrypto
import LunaHome
import LunaJSON
import WebAccess

/// `me`: one's own account.
enum SelfEndpoints {
  private static let refusals: [(status: Int, when: String)] = [
    (409, "There is a second factor already, or none."),
    (422, "The password cannot be, or the code is wrong."),
  ]

  static let all = [
    HomeEndpoint("GET", "me", "getMe", "See who one is.", .role(.guest)) { api, call in
      HTTPResponse(200, json: try await json(of: try call.caller(), api, call))
    },
    HomeEndpoint(
      "PUT", "me/password", "changePassword", "Change the password; all other sessions end.",
      .session, body: "PasswordChange", problems: refusals
    ) { api, call in try await changePassword(api, call) },
    HomeEndpoint(
      "POST", "me/totp", "proposeCode", "Begin to set up a second factor.", .session,
      problems: refusals
    ) { api, call in
      let name = try call.caller().name
      let code = try OneTimeCode()
      try await api.accounts.propose(code, for: name)
      return HTTPResponse(
        200,
        json: [
          "secret": .string(Base32.text(code.secret)),
          "uri": .string(code.uri(account: name, issuer: "Luna")),
        ])
    },
    HomeEndpoint(
      "PUT", "me/totp", "turnOnCode", "Turn the second factor on with its first code.", .session,
      body: "Code", problems: refusals
    ) { api, call in
      let name = try call.caller().name
      let code = try call.members().string("code")
      let recovery = try RecoveryCode.make()
      let digests = try RecoveryCode.digests(recovery)
      let isOn = try await api.passwords.attempt(name) {
        let isOn = try await api.accounts.confirm(
          code, for: name, recovery: digests, at: call.time)
        return (isOn, isOn)
      }
      guard isOn else {
        throw ProblemDocument(422, "code", "The code is wrong.", members: ["field": "code"])
      }
      return HTTPResponse(200, json: ["recoveryCodes": .array(recovery.map { .string($0) })])
    },
    HomeEndpoint(
      "DELETE", "me/totp", "turnOffCode", "Turn the second factor off.", .session,
      body: "PasswordProof", 204, problems: refusals
    ) { api, call in
      let name = try call.caller().name
      _ = try await check(try call.members().string("password"), of: name, api)
      try await api.accounts.removeSecondFactor(name)
      return HTTPResponse(204, nil, [])
    },
  ]

  static func json(
    of caller: HomeCaller, _ api: HomeAPI, _ call: HomeCall
  ) async throws -> JSONValue {
    var object: JSONObject = [
      "signedIn": true, "account": .string(caller.name), "role": .string(caller.role.rawValue),
    ]
    if caller.session != nil, let secret = api.browsers.secret(call.request.head) {
      object.append("csrf", .string(try CSRFToken.of(secret)))
      let account = try await api.accounts.account(caller.name)
      object.append("totp", .bool(account?.hasSecondFactor ?? false))
      object.append("mail", .bool(await api.home.hasMail))
      object.append(
        "email", try await api.accounts.address(of: caller.name).map { .string($0) } ?? .null)
      if let signIn = api.signIn {
        object.append("issuer", .string(signIn.name))
        object.append(
          "connected",
          .bool(try await api.accounts.isConnected(caller.name, with: signIn.issuer)))
      }
    }
    return .object(object)
  }

  /// The password that somebody gives as a proof.
  static func check(
    _ password: String, of name: String, _ api: HomeAPI
  ) async throws -> PasswordHash {
    let hash = try await api.passwords.attempt(name) {
      let hash = try await api.accounts.credentials(name)?.password
      let isGood = try await api.passwords.matches(password, hash)
      return (isGood ? hash : nil, isGood)
    }
    guard let hash else { throw ProblemDocument(403, "passwordWrong", "The password is wrong.") }
    return hash
  }

  private static func changePassword(
    _ api: HomeAPI, _ call: HomeCall
  ) async throws -> HTTPResponse {
    let name = try call.caller().name
    let members = try call.members()
    let (old, new) = (try members.string("old"), try members.string("new"))
    guard AccountRule.isPassword(new) else { throw SessionEndpoints.passwordRule }
    let hash = try await check(old, of: name, api)
    let next = try await api.passwords.hash(new)
    let secret = try RandomSecret()
    guard
      try await api.accounts.setPassword(
        name, next, replacing: hash, session: secret, agent: call.agent, at: call.time),
      let account = try await api.accounts.account(name)
    else { throw ProblemDocument(403, "passwordWrong", "The password is wrong.") }
    return try SessionEndpoints.begun(api, call, secret, account, status: 200)
  }
}
