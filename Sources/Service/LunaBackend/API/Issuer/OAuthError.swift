import HTTPServer
import LunaJSON

/// Why the issuer gives nothing, in the words of OAuth (RFC 6749, 5.2; RFC 8628, 3.5).
struct OAuthError: Error {
  enum Code: String, CaseIterable {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidScope = "invalid_scope"
    case unsupportedGrantType = "unsupported_grant_type"
    case authorizationPending = "authorization_pending"
    case slowDown = "slow_down"
    case accessDenied = "access_denied"
    case expiredToken = "expired_token"
  }

  let code: Code
  let description: String
  /// Whether the client said in the head who it is: there it is told so, too.
  var isOfHead = false

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  var response: HTTPResponse {
    var response = HTTPResponse(
      isOfHead ? 401 : 400,
      json: ["error": .string(code.rawValue), "error_description": .string(description)])
    response.problemCode = code.rawValue
    if isOfHead { response.headers.append(("WWW-Authenticate", "Basic realm=\"luna\"")) }
    return response
  }
}
