/// Who calls.
struct Caller: Sendable {
  /// What kind of holder it is.
  enum Kind: Hashable, Sendable {
    /// A token of this kind, or one of an issuer that stands for it.
    case token(TokenRole)
    /// A person.
    case account
  }

  let kind: Kind
  /// The name of the gateway, the owner, the token's holder or the account.
  let name: String
  /// What accounts and tokens of admins may do now.
  let rights: AccountRole?
  /// The browser that an account is signed in with; nil for tokens.
  let session: Session?

  /// A holder of a token.
  init(_ token: TokenRecord) {
    (kind, name, rights, session) = (.token(token.role), token.name, token.rights, nil)
  }

  /// Who stands for a holder of a token without having one.
  init(_ role: TokenRole, name: String) {
    (kind, self.name, rights, session) = (.token(role), name, nil, nil)
  }

  /// An account, in a browser or by a token of an issuer.
  init(account: String, rights: AccountRole, session: Session? = nil) {
    (kind, name, self.rights, self.session) = (.account, account, rights, session)
  }

  /// Names it in what is changed by it: an account by its name, a token by its kind as well.
  var label: String {
    switch kind {
    case .account: name
    case .token(let role): "\(role.rawValue):\(name)"
    }
  }

  /// Whether an endpoint is for it.
  func may(_ access: Access) -> Bool {
    switch access {
    case .open: true
    case .only(let role): kind == .token(role)
    case .holder: kind != .token(.admin)
    case .role(let role): rights.map { $0 >= role } ?? false
    case .session: session != nil
    }
  }
}
