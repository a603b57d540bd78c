package import Bluetooth
import LunaFleet
import WebAccess

extension AccountStore {
  /// Keeps a token, and writes down who made it.
  ///
  /// - Throws: `limit` when two tokens of that role and name are live.
  package func add(_ token: TokenRecord) async throws(StorageError) {
    try await storage.add(token)
    do throws(StorageError) {
      try await note(made: token)
    } catch {
      // Nobody gets to see it.
      _ = try? await storage.revoke(token.id, at: token.createdAt)
      throw error
    }
  }

  /// Revokes a token at once, and writes down who did.
  ///
  /// - Returns: false when there is no live token with that id.
  package func revoke(token id: String, at time: Timestamp) async throws(StorageError) -> Bool {
    guard try await storage.revoke(id, at: time) else { return false }
    guard let token = try await storage.token(id) else { return true }
    try await note(
      AuditEntry(.token, token.name, .remove, ["kind": (token.role.rawValue, nil)]), at: time)
    return true
  }

  /// Writes down that a token was made.
  func note(made token: TokenRecord) async throws(StorageError) {
    try await note(
      AuditEntry(
        .token, token.name, .add,
        ["kind": (nil, token.role.rawValue), "role": (nil, token.rights?.rawValue)]),
      at: token.createdAt)
  }

  /// Writes down what was decided about a program that waited.
  package func note(
    _ outcome: SignInDecision.Outcome, at time: Timestamp
  ) async throws(StorageError) {
    switch outcome {
    case .approved(_, let holder):
      try await note(
        AuditEntry(.program, holder.name, .add, ["kind": (nil, holder.kind)]), at: time)
    case .refused(let waiting):
      try await note(
        AuditEntry(.program, waiting.client, .refuse, ["scope": (nil, waiting.scope.text)]),
        at: time)
    case .unknown, .needsAccount, .noAccount, .wasRemoved, .mayNot: break
    }
  }
}
