import LunaJSON
import WebAccess

/// Who may call an endpoint of a home.
enum HomeAccess: Hashable, Sendable {
  /// Everybody.
  case open
  /// Accounts and tokens that have at least this role.
  case role(HomeRole)
  /// The same; to all others there is no such thing, so that nobody learns what it is about.
  case hidden(HomeRole)
  /// Accounts in a browser.
  case session

  /// It in the description of the API.
  var description: OpenAPIDocument.AccessDescription {
    let both: JSONValue = [["session": []], ["token": []]]
    let refusals = [
      401: "There is no session and no token, or it is over.",
      403: "It is not allowed to who calls, is by another name, or the page of another site's.",
      429: "Too many requests; see Retry-After.",
    ]
    switch self {
    case .open:
      return .init(
        security: ["security": []],
        problems: [403: "The server is asked by another name, or by the page of another site."])
    case .role(let role):
      return .init(
        security: ["security": both, "x-luna-role": .string(role.rawValue)], problems: refusals)
    case .hidden(let role):
      return .init(
        security: ["security": both, "x-luna-role": .string(role.rawValue)],
        problems: refusals.merging([404: "There is none, or none for who calls."]) { $1 })
    case .session: return .init(security: ["security": [["session": []]]], problems: refusals)
    }
  }
}
