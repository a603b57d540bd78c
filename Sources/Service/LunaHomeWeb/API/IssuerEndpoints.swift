import Bluetooth
import Diagnosis
import HTTPServer
import LunaAccount
import LunaCore
import LunaJSON
import SafeText
import WebAccess

/// `session/oidc`, `me/identity`: signing in at the issuer that the file names. Browsers that show pages are led on,
/// also where something went wrong; a program is told why.
enum IssuerEndpoints {
  private static let problems: [(status: Int, when: String)] = [
    (404, "The file names no issuer."), (429, "Too many tries; see Retry-After."),
    (503, "The issuer cannot be asked now; see Retry-After."),
  ]

  static let all = [
    HomeEndpoint(
      "GET", "session/oidc/start", "startIssuerSignIn",
      "Go to the issuer of the file to sign in there; next is the page to come back to.", .open,
      query: ["next"], 303, problems: problems
    ) { api, call in
      try await leadOn(call, to: "/ui/sign-in") { () async throws in
        try api.checkRate(call)
        let (address, cookie) = try await begin(api, call, for: nil, next: page(call.query("next")))
        return redirect(to: address, cookie)
      }
    },
    HomeEndpoint(
      "GET", "session/oidc", "issuerSignIn",
      "Come back from the issuer; state is good once, for the browser that went there.", .open,
      query: ["code", "state", "iss", "error", "error_description"], 303,
      problems: problems + [
        (401, "Nobody is signed in."), (403, "No account belongs to this sign-in."),
        (409, "Somebody else is connected with this sign-in."),
      ]
    ) { api, call in
      try await leadOn(call, to: "/ui/sign-in") { () async throws in
        try await finish(api, call)
      }
    },
    HomeEndpoint(
      "POST", "me/identity", "connectIssuer",
      "Begin to connect one's account with somebody at the issuer; address is where to go.",
      .session, body: "PasswordProof", problems: problems + [(403, "The password is wrong.")]
    ) { api, call in
      let name = try call.caller().name
      _ = try await SelfEndpoints.check(try call.members().string("password"), of: name, api)
      let (address, cookie) = try await begin(api, call, for: name, next: settings)
      var response = HTTPResponse(200, json: ["address": .string(address)])
      if let cookie { response.set(cookie) }
      return response
    },
    HomeEndpoint(
      "DELETE", "me/identity", "disconnectIssuer", "Sign in at the issuer no more.", .session, 204
    ) { api, call in
      try await api.accounts.disconnect(try call.caller().name)
      return HTTPResponse(204, nil, [])
    },
  ]

  private static let settings = "/ui/screens/settings"

  private static func signIn(_ api: HomeAPI) throws -> HomeSignIn {
    guard let signIn = api.signIn else {
      throw ProblemDocument.notFound("auth.oidc of the file names no issuer")
    }
    return signIn
  }

  /// A page of the app, whatever an address says.
  private static func page(_ text: String?) -> String {
    guard let text, text.hasPrefix("/ui/"), text.utf8.count <= 512,
      text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") })
    else { return "/ui/" }
    return text
  }

  private static func begin(
    _ api: HomeAPI, _ call: HomeCall, for account: String?, next: String
  ) async throws -> (address: String, cookie: HTTPCookie?) {
    let signIn = try signIn(api)
    let secret = try api.browsers.attempt(call.request.head) ?? RandomSecret()
    do throws(AccountError) {
      let address = try await signIn.begin(
        for: account, next: next,
        redirectURL: api.browsers.base(for: call.request.head) + "/api/v1/session/oidc", secret,
        at: call.time)
      return (address, api.browsers.attemptCookie(secret, for: call.request.head))
    } catch {
      throw problem(error, api)
    }
  }

  private static func finish(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let signIn = try signIn(api)
    let query = String(call.request.head.query ?? "")
    // Of two states another reader could take the other one.
    guard let state = FormText.fields(of: query)["state"],
      let cookie = api.browsers.attempt(call.request.head),
      let attempt = signIn.take(state, of: cookie, at: call.time)
    else { throw SessionEndpoints.wrong }
    guard let account = attempt.account else {
      let subject = try await subject(query, attempt, signIn, api, call)
      return try await enter(subject, attempt, signIn, api, call)
    }
    return try await leadOn(call, to: settings) { () async throws in
      let subject = try await subject(query, attempt, signIn, api, call)
      guard
        try await api.accounts.connect(account, with: signIn.issuer, subject, at: call.time)
      else {
        throw ProblemDocument(
          409, "identityTaken", "Somebody else is connected with this sign-in.")
      }
      return redirect(to: attempt.next)
    }
  }

  private static func subject(
    _ query: String, _ attempt: HomeSignIn.Attempt, _ signIn: HomeSignIn, _ api: HomeAPI,
    _ call: HomeCall
  ) async throws -> String {
    do throws(AccountError) {
      return try await signIn.subject(for: query, attempt, at: call.time)
    } catch {
      throw problem(error, api)
    }
  }

  /// Begins the session of who has come back.
  private static func enter(
    _ subject: String, _ attempt: HomeSignIn.Attempt, _ signIn: HomeSignIn, _ api: HomeAPI,
    _ call: HomeCall
  ) async throws -> HTTPResponse {
    guard let account = try await api.accounts.account(of: signIn.issuer, subject),
      account.canSignIn, account.isGood(at: call.time)
    else {
      throw ProblemDocument(
        403, "unknownSubject", "No account belongs to this sign-in.",
        detail: "sign in with the password, and connect it in Settings")
    }
    let begun = try await SessionEndpoints.begin(account, api, call)
    var response = redirect(to: attempt.next)
    response.headers += begun.headers.filter { $0.name == "Set-Cookie" }
    return response
  }

  private static func problem(_ error: AccountError, _ api: HomeAPI) -> ProblemDocument {
    // The reason is for whoever looks after the home.
    api.note(error)
    guard [.network, .server].contains(error.code) else { return SessionEndpoints.wrong }
    return ProblemDocument(
      503, "issuerUnavailable", "The issuer cannot be asked now.", detail: "its log says why",
      retryAfter: 5)
  }

  /// An address that does not learn where the browser comes from, with what stands in it.
  private static func redirect(to address: String, _ cookie: HTTPCookie? = nil) -> HTTPResponse {
    var response = HTTPResponse(303, nil, [])
    response.headers = [("Location", address), ("Referrer-Policy", "no-referrer")]
    if let cookie { response.set(cookie) }
    return response
  }

  /// Leads a browser to a page of the app where something went wrong.
  private static func leadOn(
    _ call: HomeCall, to page: String, _ work: () async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    do {
      return try await work()
    } catch let problem as ProblemDocument {
      guard call.request.head.first("accept")?.contains(text: "text/html") == true else {
        throw problem
      }
      return redirect(to: "\(page)?problem=\(PercentEncoding.encode(problem.code))")
    }
  }
}
