import LunaCrypto

/// The browsers that a home tells, and what it needs for that.
package protocol PushBook: Sendable {
  /// The browsers that get what a contact is told.
  func browsers(of contact: String) async throws(OutboxError) -> [PushTable.Row]

  /// Tells a browser no more: its push service does not know it.
  func forget(_ id: String) async

  /// By what push services know this home.
  func identity() async throws(OutboxError) -> PushIdentity?
}

extension OutboxFile: PushBook {
  package func browsers(of contact: String) async throws(OutboxError) -> [PushTable.Row] {
    try await run { (database) throws(OutboxError) in
      try PushTable.rows(contact: contact, in: database)
    }
  }

  package func forget(_ id: String) async {
    // One that stays is told of once more, and goes then.
    _ = try? await run { (database) throws(OutboxError) in
      try PushTable.remove(id, in: database)
    }
  }

  package func identity() async throws(OutboxError) -> PushIdentity? {
    guard let new = try? P256PrivateKey() else { return nil }
    let scalar = try await run { (database) throws(OutboxError) in
      try PushTable.scalar(orKeep: new.scalar, in: database)
    }
    return (try? P256PrivateKey(scalar: scalar)).map { PushIdentity($0) }
  }
}
