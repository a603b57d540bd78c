import HTTPServer
import LunaCore
import LunaJSON
import WebAccess

/// `/v1/sign-ins/{code}`: programs that wait for somebody to approve them.
enum SignInEndpoints {
  private static let problems: [(status: Int, when: String)] = [
    (404, "Nothing waits with this code (`unknownCode`)."),
    (429, "Too many wrong codes, or too many requests; see Retry-After."),
  ]

  static let declarations = [
    Endpoint(
      "GET", "/v1/sign-ins/{code}", "getSignIn",
      "See which program waits with a code, where it calls from, and for what it asks.",
      access: .role(.viewer), replies: [.init(200, "The program.", json: "SignInRequest")],
      problems: problems
    ) { api, call in
      let caller = try caller(call)
      let code = try await code(api, call, caller)
      guard let waiting = try await api.issuer.waiting(code, at: call.time) else { throw wrong }
      await api.wrongUserCodes.takeBack(by: caller)
      return HTTPResponse(200, json: json(waiting, "waiting"))
    },
    Endpoint(
      "POST", "/v1/sign-ins/{code}", "decideSignIn",
      "Sign in a program that shows a code, or refuse it: for `account` and `owner` as oneself; "
        + "gateways by operators.",
      access: .role(.viewer), body: "SignInDecision",
      replies: [.init(200, "It is so.", json: "SignInRequest")],
      problems: problems + [
        (403, "A gateway needs an operator, an account or an owner an account."),
        (409, "The gateway was removed."), (422, "This cannot be the name of a gateway."),
      ]
    ) { api, call in try await decide(api, call) },
  ]

  private static func json(
    _ waiting: WaitingSignIn, _ state: String, _ holder: IssuedHolder? = nil
  ) -> JSONValue {
    var object: JSONObject = [
      "userCode": .string(waiting.code.shown), "client": .string(waiting.client),
      "scope": .string(waiting.scope.text), "state": .string(state),
      "createdAt": .string(waiting.createdAt.rfc3339),
      "expiresAt": .string(waiting.expiresAt.rfc3339),
    ]
    if let address = waiting.address { object.append("address", .string(address)) }
    if let holder {
      object.append("kind", .string(holder.kind))
      object.append("name", .string(holder.name))
    }
    return .object(object)
  }

  private static func decide(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let caller = try caller(call)
    let members = try call.members(api)
    guard case .bool(let approves)? = members.object["approve"] else {
      throw FormatError("approve", "is not true or false")
    }
    let key = try members.optionalString("gateway", limit: 64)
    guard key.map(TokenRecord.isName) ?? true else {
      throw ProblemDocument(
        422, "name", "This cannot be the name of a gateway.",
        detail: "1 to 64 letters, digits, dots, hyphens and underscores")
    }
    let code = try await code(api, call, caller)
    var decision = SignInDecision()
    decision.account = caller.kind == .account ? caller.name : nil
    decision.mayAddGateways = caller.rights.map { $0 >= .operator } ?? false
    decision.key = key
    decision.isRefusal = !approves
    let outcome = try await api.issuer.decide(code, decision, at: call.time)
    if outcome != .unknown { await api.wrongUserCodes.takeBack(by: caller) }
    try await api.accounts.by(caller).note(outcome, at: call.time)
    switch outcome {
    case .approved(let waiting, let holder):
      api.audit(
        "a sign-in was approved", by: caller,
        ["kind": .string(holder.kind), "holder": .string(holder.name)])
      // It is in the fleet from now on, and can be given a place before it comes.
      if case .gateway(let key) = holder {
        try await api.fleet.adopt(key, by: call.actor, at: call.time)
      }
      return HTTPResponse(200, json: json(waiting, "approved", holder))
    case .refused(let waiting):
      api.audit("a sign-in was refused", by: caller, ["scope": .string(waiting.scope.text)])
      return HTTPResponse(200, json: json(waiting, "refused"))
    case .unknown: throw wrong
    case .mayNot: throw ProblemDocument.forbidden(.role(.operator))
    case .needsAccount, .noAccount: throw ProblemDocument.accountNeeded
    case .wasRemoved:
      throw ProblemDocument(
        409, "wasRemoved", "This gateway was removed.",
        detail: "undo that first, or give it another name")
    }
  }

  private static func caller(_ call: APICall) throws(ProblemDocument) -> Caller {
    guard let caller = call.caller else { throw .unauthorized }
    return caller
  }

  /// The code in the path, unless too many were wrong. It counts as wrong until it is found.
  private static func code(
    _ api: API, _ call: APICall, _ caller: Caller
  ) async throws -> UserCode {
    if let seconds = try await api.wrongUserCodes.begin(by: caller, at: call.time) {
      throw ProblemDocument(
        429, "rateLimited", "Too many wrong codes.", detail: "look at the program's code again",
        retryAfter: max(1, seconds))
    }
    guard let code = UserCode(call.parameter) else { throw wrong }
    return code
  }

  private static let wrong = ProblemDocument(
    404, "unknownCode", "Nothing waits with this code.",
    detail: "it is mistyped, was used, or is older than ten minutes")
}
