/// As whom a program is signed in.
package enum IssuedHolder: Hashable, Sendable {
  /// An account, at most as an operator.
  case account(String)
  /// The owner `account:NAME`.
  case owner(account: String)
  /// A gateway, by the name of its tokens.
  case gateway(key: String)
  /// Nobody in particular, at a demonstration.
  case demo

  /// What a row says.
  init?(kind: String, holder: String) {
    switch kind {
    case "account": self = .account(holder)
    case "owner": self = .owner(account: holder)
    case "gateway": self = .gateway(key: holder)
    case "demo": self = .demo
    default: return nil
    }
  }

  package var kind: String {
    switch self {
    case .account: "account"
    case .owner: "owner"
    case .gateway: "gateway"
    case .demo: "demo"
    }
  }

  /// The name of it.
  package var name: String {
    switch self {
    case .account(let name), .owner(let name), .gateway(let name): name
    case .demo: "demo"
    }
  }

  /// The account with which the sign-in ends; a gateway outlives who signed it in.
  var account: String? {
    switch self {
    case .account(let name), .owner(let name): name
    case .gateway, .demo: nil
    }
  }

  /// What its tokens are for.
  var scope: SignInScope {
    switch self {
    case .account, .demo: .account
    case .owner: .owner
    case .gateway(let key): .gateway(key: key)
    }
  }
}
