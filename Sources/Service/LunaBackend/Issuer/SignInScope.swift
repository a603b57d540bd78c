/// For what a program is signed in.
package enum SignInScope: Hashable, Sendable {
  /// As oneself, at most as an operator.
  case account
  /// As the owner `account:NAME`.
  case owner
  /// As a gateway: this one, or one that who approves names.
  case gateway(key: String?)

  /// - Returns: nil for what is no scope, or more than one.
  init?(_ text: String) {
    switch text {
    case "account": self = .account
    case "owner": self = .owner
    case "gateway": self = .gateway(key: nil)
    default:
      let key = String(text.dropFirst("gateway:".count))
      guard text.hasPrefix("gateway:"), TokenRecord.isName(key) else { return nil }
      self = .gateway(key: key)
    }
  }

  package var text: String {
    switch self {
    case .account: "account"
    case .owner: "owner"
    case .gateway(let key): key.map { "gateway:\($0)" } ?? "gateway"
    }
  }

  /// After how many days without use a sign-in ends: gateways have nobody to sign them in again.
  var days: Int64 { if case .gateway = self { 400 } else { 90 } }
}
