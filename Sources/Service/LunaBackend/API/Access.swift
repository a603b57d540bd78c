import LunaJSON
import WebAccess

/// Who may call an endpoint.
enum Access: Hashable, Sendable {
  /// Everybody.
  case open
  /// Holders of a token of this kind.
  case only(TokenRole)
  /// Gateways, owners and accounts: whoever is known.
  case holder
  /// Accounts and tokens of admins that have at least this role.
  case role(AccountRole)
  /// Accounts in a browser that is signed in.
  case session
}

extension Access {
  /// It in the description of the API.
  var description: OpenAPIDocument.AccessDescription {
    let security: JSONObject
    switch self {
    case .open: security = ["security": []]
    case .only(let role): security = ["security": [.object([role.rawValue + "Token": []])]]
    case .holder:
      security = ["security": [["gatewayToken": []], ["ownerToken": []], ["session": []]]]
    case .role(let role):
      security = [
        "security": [["session": []], ["adminToken": []]], "x-luna-role": .string(role.rawValue),
      ]
    case .session: security = ["security": [["session": []]]]
    }
    return .init(security: security, problems: problems)
  }

  private var problems: [Int: String] {
    switch self {
    case .open: [:]
    case .only:
      [
        401: "There is no token, or it is unknown or revoked.",
        403: "The token is for something else.", 429: "Too many requests; see Retry-After.",
      ]
    case .holder, .role, .session:
      [
        401: "There is no session and no token, or it is over, unknown or revoked.",
        403: "It is not allowed to who calls, or comes from the page of another site.",
        421: "Browsers find this server by another name.",
        429: "Too many requests; see Retry-After.",
      ]
    }
  }
}
