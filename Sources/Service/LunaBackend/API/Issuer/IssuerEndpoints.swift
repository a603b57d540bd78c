import Diagnosis
import HTTPServer
import LunaAccount
import LunaJSON
import WebAccess

/// The own issuer: how programs are signed in (RFC 8414, RFC 8628, RFC 6749, RFC 7009, RFC 9728).
enum IssuerEndpoints {
  private static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
  private static let demoGrant = "urn:luna:demo"
  private static let limits = EndpointLimits(bodyBytes: 16 << 10, requests: 512)

  static let declarations = [
    Endpoint(
      "GET", "/.well-known/oauth-protected-resource", "protectedResource",
      "Who signs in those whose tokens are taken here (RFC 9728).", access: .open,
      replies: [.init(200, "The issuers.", json: "ProtectedResource")], problems: [off, plainHTTP]
    ) { api, _ in
      let address = try api.issuerName()
      let issuers = [address] + api.configuration.issuers.map(\.issuer)
      return HTTPResponse(
        200,
        json: [
          "resource": .string(address),
          "authorization_servers": .array(issuers.map { .string($0) }),
          "bearer_methods_supported": ["header"],
        ])
    },
    Endpoint(
      "GET", "/.well-known/oauth-authorization-server", "authorizationServer",
      "What this issuer can do (RFC 8414).", access: .open,
      replies: [.init(200, "Its endpoints.", json: "AuthorizationServer")],
      problems: [off, plainHTTP]
    ) { api, _ in
      let address = try api.issuerName()
      return HTTPResponse(
        200,
        json: [
          "issuer": .string(address),
          "device_authorization_endpoint": .string(address + "/oauth/device_authorization"),
          "token_endpoint": .string(address + "/oauth/token"),
          "revocation_endpoint": .string(address + "/oauth/revoke"),
          "response_types_supported": [],
          "grant_types_supported": .array([.string(deviceGrant), "refresh_token"]),
          "token_endpoint_auth_methods_supported": ["none"],
          "revocation_endpoint_auth_methods_supported": ["none"],
          "scopes_supported": ["account", "owner", "gateway"],
        ])
    },
    Endpoint(
      "POST", "/oauth/device_authorization", "authorizeDevice",
      "Begin to sign a program in with a code that somebody approves (RFC 8628).", access: .open,
      form: "DeviceRequest", limits: limits,
      replies: [.init(200, "The codes.", json: "DeviceAuthorization")],
      problems: [
        off, plainHTTP, otherClient, otherHost, (429, "Too many codes from one address."),
      ]
    ) { api, call in try await authorize(api, call) },
    Endpoint(
      "POST", "/oauth/token", "issueToken",
      "Get tokens for a code that was approved, or for a token to refresh.", access: .open,
      form: "TokenRequest", limits: limits,
      replies: [.init(200, "The tokens.", json: "TokenAnswer")],
      problems: [off, plainHTTP, otherClient, otherHost]
    ) { api, call in try await issue(api, call) },
    Endpoint(
      "POST", "/oauth/revoke", "revokeGrant",
      "End a sign-in, or an access token alone (RFC 7009).", access: .open,
      form: "RevocationRequest", limits: limits, replies: [.init(200, "It is over, or was none.")],
      problems: [off, plainHTTP, otherHost]
    ) { api, call in
      try api.issuerName(for: call)
      let form = call.form
      guard let token = form["token"], !token.isEmpty else {
        throw OAuthError(.invalidRequest, "token is missing")
      }
      try await api.issuer.revoke(token, at: call.time)
      return HTTPResponse(200, nil, [])
    },
  ]

  private static let off = (404, "Nobody signs in here.")
  private static let plainHTTP = (403, "The server is reached over plain HTTP from elsewhere.")
  private static let otherClient = (401, "The head of the request names another client.")
  private static let otherHost = (421, "The server has another name.")

  private static func authorize(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let address = try api.issuerName(for: call)
    let form = call.form
    let client = try client(form, call)
    guard let scope = SignInScope(form["scope"] ?? "account") else {
      throw OAuthError(.invalidScope, "the scope is one of account, owner, gateway, gateway:KEY")
    }
    if let seconds = api.deviceCodes.take(1, for: call.request.client) {
      throw ProblemDocument(
        429, "rateLimited", "Too many codes.", detail: "the limit is for each address",
        retryAfter: max(1, seconds))
    }
    let begun = try await api.issuer.begin(
      scope, client: client, from: call.request.client.description, at: call.time)
    guard let (device, code) = begun else {
      throw ProblemDocument(
        503, "overloaded", "The server is busy.", detail: "too many codes wait to be approved",
        retryAfter: 60)
    }
    return secret([
      "device_code": .string(device.text), "user_code": .string(code.shown),
      "verification_uri": .string(address + "/ui/device"),
      "verification_uri_complete": .string(address + "/ui/device?code=" + code.shown),
      "expires_in": .integer(OwnIssuer.codeSeconds), "interval": .integer(DevicePace.step),
    ])
  }

  private static func issue(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    try api.issuerName(for: call)
    let form = call.form
    let client = try client(form, call)
    switch form["grant_type"] {
    case deviceGrant:
      guard let code = form["device_code"] else {
        throw OAuthError(.invalidRequest, "device_code is missing")
      }
      return try await answer(api, call, code, client)
    case "refresh_token":
      guard let token = form["refresh_token"] else {
        throw OAuthError(.invalidRequest, "refresh_token is missing")
      }
      return try await refresh(api, call, token, client)
    case demoGrant:
      guard api.configuration.isDemo,
        let tokens = try await api.issuer.signInToDemo(client: client, at: call.time)
      else { throw OAuthError(.unsupportedGrantType, "this is no demonstration") }
      return secret(tokens.json)
    case nil: throw OAuthError(.invalidRequest, "grant_type is missing")
    default: throw OAuthError(.unsupportedGrantType, "there is no such grant_type here")
    }
  }

  private static func answer(
    _ api: API, _ call: APICall, _ code: String, _ client: String
  ) async throws -> HTTPResponse {
    guard let device = IssuedToken(.device, code) else { throw OAuthError.unknownCode }
    switch try await api.issuer.answer(device, client: client, at: call.time) {
    case .tokens(let tokens):
      api.log.line(
        .info, "a program signed in",
        ["holder": .string(tokens.holder.name), "kind": .string(tokens.holder.kind)])
      return secret(tokens.json)
    case .pending: throw OAuthError(.authorizationPending, "nobody has approved it yet")
    case .slowDown: throw OAuthError(.slowDown, "wait five seconds longer from now on")
    case .denied: throw OAuthError(.accessDenied, "it was refused")
    case .expired: throw OAuthError(.expiredToken, "it took too long")
    case .unknown: throw OAuthError.unknownCode
    case .reuse(let holder):
      noteReuse("a code of a program", of: holder, api)
      throw OAuthError.unknownCode
    }
  }

  private static func refresh(
    _ api: API, _ call: APICall, _ text: String, _ client: String
  ) async throws -> HTTPResponse {
    guard let token = IssuedToken(.refresh, text) else { throw OAuthError.unknownToken }
    switch try await api.issuer.refresh(token, client: client, at: call.time) {
    case .tokens(let tokens): return secret(tokens.json)
    case .unknown: throw OAuthError.unknownToken
    case .reuse(let holder):
      noteReuse("a token to refresh", of: holder, api)
      throw OAuthError.unknownToken
    }
  }

  private static func noteReuse(_ what: String, of holder: IssuedHolder, _ api: API) {
    api.log.line(
      .error, "\(what) was used twice; its sign-in has ended",
      ["holder": .string(holder.name), "kind": .string(holder.kind)])
  }

  private static func client(
    _ form: [String: String], _ call: APICall
  ) throws(OAuthError) -> String {
    guard form["client_id"] == OwnIssuer.client else {
      var error = OAuthError(.invalidClient, "client_id is not \(OwnIssuer.client)")
      // RFC 6749, 5.2.
      error.isOfHead = call.request.head.first("authorization") != nil
      throw error
    }
    return OwnIssuer.client
  }

  /// An answer that nobody keeps (RFC 6749, 5.1).
  private static func secret(_ json: JSONValue) -> HTTPResponse {
    var response = HTTPResponse(200, json: json)
    response.headers.append(("Cache-Control", "no-store"))
    return response
  }
}

extension OAuthError {
  fileprivate static let unknownCode = OAuthError(.invalidGrant, "there is no such code")
  fileprivate static let unknownToken = OAuthError(.invalidGrant, "it is no token, or has ended")
}
