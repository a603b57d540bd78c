import LunaJSON

/// Which role somebody gets of whom an issuer claims something (FLEET.md, 2).
public struct RoleRule: Hashable, Sendable {
  /// The name of the claim; with dots, also a path into objects (`realm_access.roles`).
  let claim: String
  /// What it is, or has among its elements.
  let value: String
  /// What they may do.
  let role: AccountRole

  /// Reads `CLAIM=VALUE:ROLE`. A value may have `=` and `:` in it.
  public init?(_ text: String) {
    guard let sign = text.firstIndex(of: "="), let colon = text.lastIndex(of: ":"), sign < colon,
      let role = AccountRole(rawValue: String(text[text.index(after: colon)...]))
    else { return nil }
    claim = String(text[..<sign])
    value = String(text[text.index(after: sign)..<colon])
    self.role = role
    guard !claim.isEmpty, !value.isEmpty else { return nil }
  }

  /// Whether it fits what a token says.
  func fits(_ claims: JSONObject) -> Bool {
    switch RoleRule.find(claim[...], in: claims) {
    case .array(let elements)?: elements.contains { RoleRule.text($0) == value }
    case let one?: RoleRule.text(one) == value
    case nil: false
    }
  }

  /// Whether that says anything about it.
  func isAnswered(by claims: JSONObject) -> Bool { RoleRule.find(claim[...], in: claims) != nil }

  /// What stands at a path. A name may have dots itself, as a client's in `resource_access.luna.example.roles`: the
  /// longest one that is there goes first.
  private static func find(_ path: Substring, in object: JSONObject) -> JSONValue? {
    if let value = object[String(path)] { return value }
    for dot in path.indices.reversed() where path[dot] == "." {
      guard case .object(let inner)? = object[String(path[..<dot])],
        let value = find(path[path.index(after: dot)...], in: inner)
      else { continue }
      return value
    }
    return nil
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    default: nil
    }
  }
}
