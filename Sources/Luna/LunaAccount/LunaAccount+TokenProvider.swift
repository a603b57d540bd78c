import Diagnosis
public import LunaClient
public import LunaCore
public import LunaCrypto

/// Gateways and owners may be signed in instead of having a token of their own.
extension LunaAccount: TokenProvider {
  /// The access token, renewed before where it ends soon.
  ///
  /// - Throws: where nobody is signed in, or the issuer gives none.
  public func token() async throws(BackendError) -> SecretBytes {
    do throws(AccountError) {
      return try await token(.accessToken)
    } catch {
      throw BackendError(error)
    }
  }

  /// Has the access token renewed that a server has refused.
  ///
  /// - Returns: whether there is another one now.
  public func renew(after refused: SecretBytes) async -> Bool {
    do throws(AccountError) {
      try await refresh(after: refused)
      return true
    } catch {
      return false
    }
  }
}

extension BackendError {
  /// Why there is no token for a backend.
  init(_ error: AccountError) {
    let kind: Kind =
      switch error.code {
      case .network: error.isLibrary ? .library : .unreachable
      case .server, .undecodable: .busy
      case .locked: .inUse
      case .storage: .local
      default: .refused
      }
    self.init(kind, error.reason, retryAfter: error.retryAfter, remedy: error.remedy)
  }
}
