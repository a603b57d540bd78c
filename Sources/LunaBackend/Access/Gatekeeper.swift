import LunaCrypto

/// Says who a token belongs to.
struct Gatekeeper: Sendable {
  let storage: any Storage

  /// The holder of a token; nil when it is none, unknown or revoked.
  func holder(of text: String) async throws(StorageError) -> TokenRecord? {
    guard let token = AccessToken(text) else { return nil }
    let digest = try token.digest()
    guard let record = try await storage.token(AccessToken.id(digest)) else { return nil }
    guard constantTimeEqual(record.digest.span, digest.span), record.revokedAt == nil else {
      return nil
    }
    return record
  }
}
