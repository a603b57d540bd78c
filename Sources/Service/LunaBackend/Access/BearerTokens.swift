import Bluetooth
import LunaCrypto
import LunaJSON

/// What becomes of a token in the header Authorization. Every kind of token is told apart here
/// (FLEET.md, 2).
struct BearerTokens: Sendable {
  let storage: any Storage
  let issuer: OwnIssuer
  let foreign: ForeignTokens
  /// Whether nobody in particular is somebody, as long as there are no accounts.
  let isDemo: Bool

  /// The holder of a token; nil when it is one of a kind of its own, and unknown or revoked.
  ///
  /// - Throws: 401 for another one that is not good, 403 for one of somebody whom nobody here knows, 503
  ///   where its issuer cannot be asked.
  func caller(of text: String, at time: Timestamp) async throws -> Caller? {
    if let token = AccessToken(text) { return try await record(of: token).map { Caller($0) } }
    if let token = IssuedToken(.access, text) {
      guard let holder = try await issuer.holder(of: token, at: time),
        let caller = try await caller(holder)
      else { throw ProblemDocument.invalidToken("it is none of ours, or has ended") }
      return caller
    }
    // What is ours is shown to nobody else, though it may be mistyped.
    guard !text.hasPrefix("luna-") else {
      throw ProblemDocument.invalidToken("it is none of ours, or has ended")
    }
    let subject: ForeignSubject
    do throws(ForeignTokenError) {
      subject = try await foreign.subject(of: text)
    } catch {
      switch error {
      case .invalid(let reason): throw ProblemDocument.invalidToken(reason)
      case .unavailable(let reason): throw ProblemDocument.issuerUnavailable(reason)
      }
    }
    guard let caller = try await caller(subject, at: time) else {
      throw ProblemDocument.unknownSubject(subject)
    }
    return caller
  }

  private func record(of token: AccessToken) async throws(StorageError) -> TokenRecord? {
    let digest = try token.digest()
    guard let record = try await storage.token(AccessToken.id(digest)) else { return nil }
    guard constantTimeEqual(record.digest.span, digest.span), record.revokedAt == nil else {
      return nil
    }
    return record
  }

  /// Who is signed in at the own issuer; nil when they may not be any more.
  private func caller(_ holder: IssuedHolder) async throws(StorageError) -> Caller? {
    switch holder {
    case .account(let name): return try await account(name)
    case .owner(let account): return Caller(.owner, name: "account:\(account)")
    case .gateway(let key): return Caller(.gateway, name: key)
    case .demo:
      guard isDemo, try await AccountStore(storage).isEmpty() else { return nil }
      return Caller(account: holder.name, rights: .operator)
    }
  }

  /// Whom somebody stands for whom an issuer of others knows; nil for nobody.
  private func caller(
    _ subject: ForeignSubject, at time: Timestamp
  ) async throws(StorageError) -> Caller? {
    switch try await AccountStore(storage).holder(of: subject, at: time) {
    case .waiting: return nil
    case .account(let name): return try await account(name)
    case .gateway(let key): return Caller(.gateway, name: key)
    case .owner(let name): return Caller(.owner, name: name)
    }
  }

  /// A person's program may look after gateways, and not after accounts.
  private func account(_ name: String) async throws(StorageError) -> Caller? {
    guard let account = try await AccountStore(storage).account(name) else { return nil }
    return Caller(account: name, rights: min(account.role, .operator))
  }
}
