import HTTPServer
import LunaAccount
import LunaCore
import LunaJSON
import SafeText
import WebAccess

/// `/v1/session/oidc`: signing in with a browser at an issuer of others (OpenID Connect Core 1.0, 3.1).
///
/// A browser that shows pages is led on to one, also where nobody is signed in; a program is told why.
enum ForeignSignInEndpoints {
  /// How long they may be altogether, the limit of the head says.
  private static let text: JSONValue = ["type": "string"]

  static let declarations = [
    Endpoint(
      "GET", "/v1/session/oidc/start", "startForeignSignIn",
      "Go to an issuer to sign in there; `next` is the page to come back to.", access: .open,
      query: [.init(name: "issuer", schema: text), .init(name: "next", schema: text)],
      limits: SessionEndpoints.limits,
      replies: [.init(303, "The page of the issuer, or the one to sign in at with a reason.")],
      problems: SessionEndpoints.browserProblems + [
        (404, "There is no console, or nobody signs in at this issuer."),
        (429, "Too many tries from one address; see Retry-After."),
        (503, "The issuer cannot be asked now; see Retry-After."),
      ]
    ) { api, call in
      try await leadOn(call) { () async throws in try await start(api, call) }
    },
    Endpoint(
      "GET", "/v1/session/oidc", "foreignSignIn",
      "Come back from an issuer; `state` is good once, for the browser that went there.",
      access: .open,
      query: ["code", "state", "iss", "error", "error_description"].map {
        .init(name: $0, schema: text)
      }, limits: SessionEndpoints.limits,
      replies: [.init(303, "The page to go on with, or the one to sign in at with a reason.")],
      problems: SessionEndpoints.browserProblems + [
        (401, "Nobody is signed in."),
        (403, "An admin has to say first who this is, or it is plain HTTP."),
        (503, "The issuer cannot be asked now; see Retry-After."),
      ]
    ) { api, call in
      try await leadOn(call) { () async throws in try await finish(api, call) }
    },
  ]

  private static func start(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let url = try api.browsers.place()
    try SessionEndpoints.checkBrowser(api, call)
    try api.browsers.checkNavigation(call.request.head)
    guard let name = try call.query("issuer"), let issuer = api.foreignSignIns.issuer(name) else {
      throw ProblemDocument.notFound("nobody signs in to this console at that issuer")
    }
    let next = try call.query("next").flatMap { ConsolePath($0) } ?? .start
    try SessionEndpoints.checkRate(api, call)
    let (address, secrets): (String, WebSignIn.Attempt)
    do throws(ForeignSignIns.Failure) {
      (address, secrets) = try await api.foreignSignIns.begin(
        at: issuer, redirectURL: url.redirectURL)
    } catch { throw try await problem(error, api, issuer) }
    let cookie = try api.browsers.attemptSecret(call.request.head) ?? RandomSecret()
    let attempt = SignInAttempt(issuer: name, secrets: secrets, next: next)
    guard try await api.accounts.keep(attempt, of: cookie, at: call.time) else {
      throw ProblemDocument(
        503, "overloaded", "The server is busy.", detail: "too many sign in elsewhere just now",
        retryAfter: 60)
    }
    var response = redirect(to: address)
    if let cookie = api.browsers.attemptCookie(cookie) { response.set(cookie) }
    return response
  }

  private static func finish(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let url = try api.browsers.place()
    try SessionEndpoints.checkBrowser(api, call)
    let query = String(call.request.head.query ?? "")
    // Of two states another reader could take the other one.
    guard let state = FormText.fields(of: query)["state"],
      let cookie = api.browsers.attemptSecret(call.request.head),
      let attempt = try await api.accounts.takeAttempt(state, of: cookie, at: call.time),
      let issuer = api.foreignSignIns.issuer(attempt.issuer)
    else { throw SessionEndpoints.wrong }
    let person: ForeignPerson
    do throws(ForeignSignIns.Failure) {
      person = try await api.foreignSignIns.person(
        at: issuer, query: query, attempt.secrets, redirectURL: url.redirectURL)
    } catch { throw try await problem(error, api, issuer) }
    let session = try call.newSession(method: issuer.issuer.issuer)
    let arrival = try await api.accounts.arrive(
      person, session, after: api.browsers.secret(call.request.head), at: api.configuration.now())
    switch arrival {
    case .account(let name, _):
      api.audit(
        "signed in", by: nil, ["account": .string(name), "issuer": .string(attempt.issuer)])
      var response = redirect(to: attempt.next.path)
      if let cookie = api.browsers.cookie(session.secret, session.state) { response.set(cookie) }
      return response
    case .waiting: throw ProblemDocument.unknownSubject(person.subject)
    case .other: throw SessionEndpoints.wrong
    }
  }

  private static func problem(
    _ failure: ForeignSignIns.Failure, _ api: API, _ issuer: ForeignSignIns.Issuer
  ) async throws(StorageError) -> ProblemDocument {
    switch failure {
    case .refused(let reason):
      try await api.auditFailure(
        nil, method: issuer.issuer.issuer,
        ["issuer": .string(issuer.issuer.issuer), "reason": .string(reason)])
      return SessionEndpoints.wrong
    case .unavailable(let reason):
      api.log.line(
        .error, "nobody can sign in at an issuer",
        ["issuer": .string(issuer.issuer.issuer), "reason": .string(reason)])
      return ProblemDocument(
        503, "issuerUnavailable", "The issuer cannot be asked now.", detail: nil, retryAfter: 5)
    }
  }

  /// An address that no other site learns where the browser comes from, with what stands in it.
  private static func redirect(to address: String) -> HTTPResponse {
    var response = HTTPResponse(303, nil, [])
    response.headers = [("Location", address), ("Referrer-Policy", "no-referrer")]
    return response
  }

  /// Leads a browser to the page to sign in at where something went wrong.
  private static func leadOn(
    _ call: APICall, _ work: () async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    do {
      return try await work()
    } catch let problem as ProblemDocument {
      guard problem.status != 421, problem.code != "plainHttp",
        call.request.head.first("accept")?.contains(text: "text/html") == true
      else { throw problem }
      return redirect(to: "/ui/sign-in?problem=\(PercentEncoding.encode(problem.code))")
    }
  }
}
