package import Bluetooth
import LunaFleet
import WebAccess

extension AccountStore {
  /// Keeps the link for the first account; those before are no longer good.
  ///
  /// - Returns: false when there is an account already.
  package func keep(setup link: AccountLink) async throws(StorageError) -> Bool {
    try await storage.transaction { work throws(StorageError) in
      guard try work.row("SELECT 1 FROM luna.accounts LIMIT 1") == nil else { return false }
      try work.change("DELETE FROM luna.links WHERE kind = 'setup'")
      try AccountStore.keep(link, account: nil, work)
      return true
    }
  }

  /// Makes another invitation for an account, as for who has lost the password. Those before are no
  /// longer good; the password stays until it is used.
  ///
  /// - Returns: false when there is no such account.
  package func invite(
    _ name: String, _ link: AccountLink, at time: Timestamp? = nil
  ) async throws(StorageError) -> Bool {
    let time = time ?? storage.now
    return try await storage.transaction { work throws(StorageError) in
      guard try AccountStore.account(name, work) != nil else { return false }
      try work.change("DELETE FROM luna.links WHERE account = $1", [.text(name)])
      try AccountStore.keep(link, account: name, work)
      try work.audit(AuditEntry(.account, name, .invite), by: actor, at: time)
      return true
    }
  }

  /// Has a link be good no more that nobody was told.
  package func withdraw(_ link: AccountLink) async throws(StorageError) {
    let digest = try StorageError.unless(link.secret.digest())
    _ = try await storage.transaction { work throws(StorageError) in
      try work.change("DELETE FROM luna.links WHERE digest = $1", [.bytes(digest)])
    }
  }

  static func keep(
    _ link: AccountLink, account: String?, _ work: any StorageTransaction
  ) throws(StorageError) {
    try work.change(
      "INSERT INTO luna.links(digest, kind, account, expires) VALUES($1, $2, $3, $4)",
      [
        .bytes(try StorageError.unless(link.secret.digest())), .text(link.kind.rawValue),
        .text(account),
        .integer(link.expiresAt.microseconds),
      ])
  }

  /// Whether a link is good, before the work of its password is done.
  func isGood(
    _ secret: RandomSecret, _ kind: AccountLink.Kind, for name: String, at time: Timestamp
  ) async throws(StorageError) -> Bool {
    try await storage.lookUp { work throws(StorageError) in
      try AccountStore.isGood(secret, kind, for: name, at: time, work)
    }
  }

  private static func isGood(
    _ secret: RandomSecret, _ kind: AccountLink.Kind, for name: String, at time: Timestamp,
    _ work: any StorageTransaction
  ) throws(StorageError) -> Bool {
    let row = try work.row(
      "SELECT account FROM luna.links WHERE digest = $1 AND kind = $2 AND expires > $3",
      [
        .bytes(try StorageError.unless(secret.digest())), .text(kind.rawValue),
        .integer(time.microseconds),
      ])
    guard let row else { return false }
    return kind == .setup ? row.isNull(0) : row.text(0) == name
  }

  /// Uses a link up: the account has this password from now on, and a session.
  ///
  /// - Returns: the account and, where it was not done, why.
  func redeem(
    _ secret: RandomSecret, _ kind: AccountLink.Kind, for name: String, password: PasswordHash,
    session: NewSession, at time: Timestamp
  ) async throws(StorageError) -> Result<Account, AccountProblem> {
    try await storage.transaction { work throws(StorageError) in
      guard try AccountStore.isGood(secret, kind, for: name, at: time, work) else {
        return .failure(AccountProblem(.link))
      }
      switch kind {
      case .setup:
        guard try work.row("SELECT 1 FROM luna.accounts LIMIT 1") == nil else {
          return .failure(AccountProblem(.link))
        }
        try work.change(
          "INSERT INTO luna.accounts(name, role, created) VALUES($1, 'admin', $2)",
          [.text(name), .integer(time.microseconds)])
        try work.change("DELETE FROM luna.links WHERE kind = 'setup'")
        try work.audit(
          AuditEntry(.account, name, .add, ["role": (nil, AccountRole.admin.rawValue)]),
          by: name, at: time)
      case .invitation:
        try work.change("DELETE FROM luna.links WHERE account = $1", [.text(name)])
        // Whoever has the old password is out; who was invited anew has lost the second factor too.
        try AccountStore.signOut(name, work)
      }
      try work.change(
        """
        UPDATE luna.accounts SET password = $1, totp = NULL, totp_pending = NULL, recovery = NULL
        WHERE name = $2
        """, [.text(password.text), .text(name)])
      try work.audit(
        AuditEntry(.account, name, .edit, ["password": (nil, nil)]), by: name, at: time)
      try AccountStore.begin(session, account: name, at: time, work)
      guard let account = try AccountStore.account(name, work) else {
        return .failure(AccountProblem(.unknown))
      }
      return .success(account)
    }
  }
}
