import Bluetooth
import LunaFleet
import WebAccess

extension AccountStore {
  /// All identities: those that wait first, then by issuer and subject.
  func identities() async throws(StorageError) -> [ForeignIdentity] {
    let all = try await storage.read { work throws(StorageError) in
      try work.rows(
        "SELECT \(ForeignIdentity.columns) FROM luna.identities ORDER BY issuer, subject"
      ).compactMap { ForeignIdentity($0) }
    }
    return all.filter { $0.holder == .waiting } + all.filter { $0.holder != .waiting }
  }

  /// An identity.
  func identity(_ id: String) async throws(StorageError) -> ForeignIdentity? {
    try await storage.lookUp { work throws(StorageError) in
      try AccountStore.identity(id, work)
    }
  }

  /// For whom somebody stands; whoever is not known yet waits from now on.
  func holder(
    of subject: ForeignSubject, at time: Timestamp
  ) async throws(StorageError) -> ForeignIdentity.Holder {
    let known = try await storage.lookUp { work throws(StorageError) in
      try work.row(
        """
        SELECT \(ForeignIdentity.columns) FROM luna.identities WHERE issuer = $1 AND subject = $2
        """, [.text(subject.issuer), .text(subject.subject)]
      ).flatMap { ForeignIdentity($0) }
    }
    if let known { return known.holder }
    let id = try String(StorageError.unless(RandomSecret()).text.prefix(16))
    _ = try await storage.transaction { work throws(StorageError) in
      let waiting = try work.row("SELECT count(*) FROM luna.identities WHERE kind = 'waiting'")
      guard waiting?.integer(0) ?? 0 < ForeignIdentity.waitingLimit else { return 0 }
      return try work.change(
        """
        INSERT INTO luna.identities(id, issuer, subject, kind, created, seen)
        VALUES($1, $2, $3, 'waiting', $4, $4) ON CONFLICT(issuer, subject) DO NOTHING
        """,
        [
          .text(id), .text(subject.issuer), .text(subject.subject), .integer(time.microseconds),
        ])
    }
    return .waiting
  }

  /// Says for whom somebody stands.
  ///
  /// - Parameter role: with it an account is made where there is none of that name.
  /// - Returns: why not; nil when it is so now.
  func set(
    _ id: String, _ holder: ForeignIdentity.Holder, role: AccountRole?, at time: Timestamp
  ) async throws(StorageError) -> AccountRefusal? {
    try await storage.transaction { work throws(StorageError) in
      guard let before = try AccountStore.identity(id, work) else { return .unknown }
      return try AccountStore.keepingAnAdmin(work) { () throws(StorageError) in
        if case .account(let name) = holder, try AccountStore.account(name, work) == nil {
          guard let role else { return .unknown }
          try work.change(
            "INSERT INTO luna.accounts(name, role, created) VALUES($1, $2, $3)",
            [.text(name), .text(role.rawValue), .integer(time.microseconds)])
          try work.audit(
            AuditEntry(.account, name, .add, ["role": (nil, role.rawValue)]), by: actor, at: time)
        }
        let isAccount = holder.kind == "account"
        try work.change(
          """
          UPDATE luna.identities SET kind = $2, account = $3, holder = $4, by_rule = 0
          WHERE id = $1
          """,
          [
            .text(id), .text(holder.kind), .text(isAccount ? holder.name : nil),
            .text(isAccount ? nil : holder.name),
          ])
        if before.holder != holder { try AccountStore.signOut(before, work) }
        try work.audit(
          AuditEntry(
            .identity, id, .edit,
            [
              "holder": (before.holder.label, holder.label), "issuer": (nil, before.subject.issuer),
              "subject": (nil, before.subject.subject),
            ]), by: actor, at: time)
        return nil
      }
    }
  }

  /// Forgets somebody. They wait again with their next token.
  ///
  /// - Returns: why not; nil when it is so now.
  func removeIdentity(
    _ id: String, at time: Timestamp
  ) async throws(StorageError) -> AccountRefusal? {
    try await storage.transaction { work throws(StorageError) in
      guard let identity = try AccountStore.identity(id, work) else { return .unknown }
      return try AccountStore.keepingAnAdmin(work) { () throws(StorageError) in
        try work.change("DELETE FROM luna.identities WHERE id = $1", [.text(id)])
        try AccountStore.signOut(identity, work)
        try work.audit(
          AuditEntry(
            .identity, id, .remove,
            [
              "holder": (identity.holder.label, nil), "issuer": (identity.subject.issuer, nil),
              "subject": (identity.subject.subject, nil),
            ]), by: actor, at: time)
        return nil
      }
    }
  }

  /// Ends what an account is signed in with as somebody who is it no longer.
  private static func signOut(
    _ identity: ForeignIdentity, _ work: any StorageTransaction
  ) throws(StorageError) {
    guard case .account(let name) = identity.holder else { return }
    try work.change(
      "DELETE FROM luna.sessions WHERE account = $1 AND method = $2",
      [.text(name), .text(identity.subject.issuer)])
  }

  private static func identity(
    _ id: String, _ work: any StorageTransaction
  ) throws(StorageError) -> ForeignIdentity? {
    try work.row(
      "SELECT \(ForeignIdentity.columns) FROM luna.identities WHERE id = $1", [.text(id)]
    ).flatMap { ForeignIdentity($0) }
  }
}
