package import Bluetooth
import LunaFleet
import WebAccess

extension AccountStore {
  private static let columns =
    "s.id, s.account, s.state, s.method, s.created, s.seen, s.expires, s.address, s.agent"

  private static func session(_ row: StorageRow) -> Session? {
    guard let state = Session.State(rawValue: row.text(2)) else { return nil }
    return Session(
      id: row.text(0), account: row.text(1), state: state, method: row.text(3),
      createdAt: Timestamp(microseconds: row.integer(4)),
      seenAt: Timestamp(microseconds: row.integer(5)),
      expiresAt: Timestamp(microseconds: row.integer(6)), address: row.optionalText(7),
      agent: row.optionalText(8))
  }

  /// The session with a secret, and what its account may do now.
  ///
  /// - Returns: nil when there is none, or it is over.
  func session(
    _ secret: RandomSecret, at time: Timestamp
  ) async throws(StorageError) -> (session: Session, role: AccountRole)? {
    let row = try await storage.lookUp { work throws(StorageError) in
      try work.row(
        """
        SELECT \(AccountStore.columns), a.role FROM luna.sessions AS s
        JOIN luna.accounts AS a ON a.name = s.account WHERE s.digest = $1
        """, [.bytes(try StorageError.unless(secret.digest()))])
    }
    guard let row, let session = AccountStore.session(row), session.isLive(at: time),
      let role = AccountRole(rawValue: row.text(9))
    else { return nil }
    return (session, role)
  }

  /// Notes that a session was used.
  func note(_ session: Session, at time: Timestamp) async throws(StorageError) {
    _ = try await storage.transaction(isSerial: false) { work throws(StorageError) in
      try work.change(
        "UPDATE luna.sessions SET seen = $1 WHERE id = $2",
        [.integer(time.microseconds), .text(session.id)])
    }
  }

  /// Keeps a session of somebody who has just signed in.
  static func begin(
    _ session: NewSession, account: String, at time: Timestamp, _ work: any StorageTransaction
  ) throws(StorageError) {
    try keep(session, account: account, at: time, work)
    guard session.state == .signedIn else { return }
    try work.audit(
      AuditEntry(.session, account, .signIn, ["method": (nil, session.method)]), by: account,
      at: time)
  }

  static func keep(
    _ session: NewSession, account: String, at time: Timestamp, _ work: any StorageTransaction
  ) throws(StorageError) {
    let digest = try StorageError.unless(session.secret.digest())
    let life = session.state == .signedIn ? Session.longest : Session.codePatience
    try work.change(
      """
      INSERT INTO luna.sessions(
        digest, id, account, state, method, created, seen, expires, address, agent)
      VALUES($1, $2, $3, $4, $5, $6, $6, $7, $8, $9)
      """,
      [
        .bytes(digest), .text(SecretDigest.name(digest)), .text(account),
        .text(session.state.rawValue), .text(session.method), .integer(time.microseconds),
        .integer(time.advanced(by: life).microseconds), .text(session.address),
        .text(session.agent),
      ])
  }

  /// Begins a session of an account.
  ///
  /// - Parameter predecessor: the session of the same browser, which ends.
  /// - Returns: false when there is no such account any more.
  func begin(
    _ session: NewSession, account: String, after predecessor: RandomSecret?, at time: Timestamp
  ) async throws(StorageError) -> Bool {
    try await storage.transaction { work throws(StorageError) in
      guard try AccountStore.account(account, work) != nil else { return false }
      if let predecessor {
        try work.change(
          "DELETE FROM luna.sessions WHERE digest = $1",
          [.bytes(try StorageError.unless(predecessor.digest()))])
      }
      try AccountStore.begin(session, account: account, at: time, work)
      return true
    }
  }

  /// The sessions of an account, or all, the newest first.
  package func sessions(
    of account: String?, at time: Timestamp
  ) async throws(StorageError) -> [Session] {
    try await storage.read { work throws(StorageError) in
      let rows =
        if let account {
          try work.rows(
            """
            SELECT \(AccountStore.columns) FROM luna.sessions AS s WHERE s.account = $1
            ORDER BY s.created DESC, s.id
            """, [.text(account)])
        } else {
          try work.rows(
            "SELECT \(AccountStore.columns) FROM luna.sessions AS s ORDER BY s.created DESC, s.id")
        }
      return rows.compactMap(AccountStore.session)
        .filter { $0.state == .signedIn && $0.isLive(at: time) }
    }
  }

  /// Ends the session with a secret.
  func end(_ secret: RandomSecret) async throws(StorageError) {
    _ = try await storage.transaction { work throws(StorageError) in
      try work.change(
        "DELETE FROM luna.sessions WHERE digest = $1",
        [.bytes(try StorageError.unless(secret.digest()))])
    }
  }

  /// Ends a session.
  ///
  /// - Parameter account: only one of this account.
  /// - Returns: false when there is none.
  func endSession(_ id: String, of account: String?) async throws(StorageError) -> Bool {
    try await storage.transaction { work throws(StorageError) in
      let count =
        if let account {
          try work.change(
            "DELETE FROM luna.sessions WHERE id = $1 AND account = $2",
            [.text(id), .text(account)])
        } else {
          try work.change("DELETE FROM luna.sessions WHERE id = $1", [.text(id)])
        }
      return count > 0
    }
  }

  /// Ends the sessions of an account.
  ///
  /// - Parameter kept: this one stays.
  /// - Returns: how many there were.
  package func endSessions(
    of account: String, but kept: String? = nil, at time: Timestamp? = nil
  ) async throws(StorageError) -> Int {
    let time = time ?? storage.now
    return try await storage.transaction { work throws(StorageError) in
      let count = try work.change(
        "DELETE FROM luna.sessions WHERE account = $1 AND id <> $2",
        [.text(account), .text(kept ?? "")])
      if count > 0 {
        try work.audit(
          AuditEntry(.session, account, .remove, ["count": (String(count), nil)]), by: actor,
          at: time)
      }
      return count
    }
  }
}
