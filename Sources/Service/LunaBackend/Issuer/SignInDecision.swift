/// What somebody decides about a program that waits to be signed in.
package struct SignInDecision: Sendable {
  /// As which account it may be signed in; nil for none, as by who has the storage and names nobody.
  package var account: String?
  /// Whether gateways may be signed in.
  package var mayAddGateways = false
  /// The name of the tokens of a gateway, where it names none itself or another one is wanted.
  package var key: String?
  /// Whether it is refused.
  package var isRefusal = false

  /// A decision to sign it in as nobody.
  package init() {}

  /// What came of it.
  package enum Outcome: Hashable, Sendable {
    /// It is signed in with its next question.
    case approved(WaitingSignIn, IssuedHolder)
    /// It is refused.
    case refused(WaitingSignIn)
    /// Nobody waits with this code.
    case unknown
    /// It wants to be an account or an owner, and no account is named.
    case needsAccount(WaitingSignIn)
    /// There is no such account.
    case noAccount(String)
    /// It would be a gateway that was removed, whose tokens are not good.
    case wasRemoved(String)
    /// It wants to be a gateway, and who decides may not add one.
    case mayNot(WaitingSignIn)
  }

  /// As whom a program is signed in.
  func holder(of waiting: WaitingSignIn) throws(StorageError) -> Result<IssuedHolder, Refusal> {
    switch waiting.scope {
    case .account: return account.map { .success(.account($0)) } ?? .failure(.needsAccount)
    case .owner: return account.map { .success(.owner(account: $0)) } ?? .failure(.needsAccount)
    case .gateway(let wanted):
      guard mayAddGateways else { return .failure(.mayNot) }
      if let named = key ?? wanted { return .success(.gateway(key: named)) }
      return .success(.gateway(key: try SignInDecision.newKey()))
    }
  }

  /// Why it is not signed in.
  enum Refusal: Error {
    case needsAccount
    case mayNot
  }

  /// A name that no gateway has.
  private static func newKey() throws(StorageError) -> String {
    "gw-" + String(try IssuedToken.newFamily().prefix(16))
  }
}
