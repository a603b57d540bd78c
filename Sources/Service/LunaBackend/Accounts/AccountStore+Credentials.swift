import Bluetooth
import LunaFleet
import WebAccess

extension AccountStore {
  /// What signing in is checked against.
  struct Credentials: Sendable {
    let role: AccountRole
    /// nil for who has none yet.
    let password: PasswordHash?
    let hasSecondFactor: Bool
  }

  /// Of an account; nil when there is none.
  func credentials(_ name: String) async throws(StorageError) -> Credentials? {
    try await storage.lookUp { work throws(StorageError) in
      let row = try work.row(
        "SELECT role, password, totp IS NOT NULL FROM luna.accounts WHERE name = $1",
        [.text(name)])
      guard let row, let role = AccountRole(rawValue: row.text(0)) else { return nil }
      return Credentials(
        role: role, password: row.optionalText(1).flatMap { PasswordHash($0) },
        hasSecondFactor: row.integer(2) != 0)
    }
  }

  /// Gives an account another password; all that it is signed in with ends.
  ///
  /// - Parameters:
  ///   - old: the one that was checked: nothing is done where it was changed meanwhile.
  ///   - successor: for the session in which it was changed.
  /// - Returns: false where nothing was done.
  func setPassword(
    _ name: String, _ new: PasswordHash, replacing old: PasswordHash, successor: NewSession,
    at time: Timestamp
  ) async throws(StorageError) -> Bool {
    try await storage.transaction { work throws(StorageError) in
      let count = try work.change(
        "UPDATE luna.accounts SET password = $1 WHERE name = $2 AND password = $3",
        [.text(new.text), .text(name), .text(old.text)])
      guard count > 0 else { return false }
      try AccountStore.signOut(name, work)
      try AccountStore.keep(successor, account: name, at: time, work)
      try work.audit(
        AuditEntry(.account, name, .edit, ["password": (nil, nil)]), by: name, at: time)
      return true
    }
  }

  /// Begins to set up a second factor.
  ///
  /// - Returns: why not; nil when it waits for its first code.
  func propose(_ code: OneTimeCode, for name: String) async throws(StorageError) -> AccountRefusal?
  {
    try await storage.transaction { work throws(StorageError) in
      guard let account = try AccountStore.account(name, work) else { return .unknown }
      guard !account.hasSecondFactor else { return .secondFactor }
      try work.change(
        "UPDATE luna.accounts SET totp_pending = $1 WHERE name = $2",
        [.bytes(code.secret), .text(name)])
      return nil
    }
  }

  /// Turns the second factor on, with the first code that the authenticator shows.
  ///
  /// - Returns: false when the code is wrong; nil when there is nothing to turn on.
  func confirm(
    _ text: String, for name: String, recovery: [UInt8], at time: Timestamp
  ) async throws(StorageError) -> Bool? {
    try await storage.transaction { work throws(StorageError) in
      let row = try work.row(
        "SELECT totp_pending FROM luna.accounts WHERE name = $1 AND totp IS NULL", [.text(name)])
      guard let secret = row?.optionalBytes(0) else { return nil }
      guard
        let step = try StorageError.unless(
          OneTimeCode(secret: secret).step(of: text, at: time, after: 0))
      else {
        return false
      }
      try work.change(
        """
        UPDATE luna.accounts SET totp = totp_pending, totp_pending = NULL, totp_step = $1,
          recovery = $2 WHERE name = $3
        """, [.integer(step), .bytes(recovery), .text(name)])
      try work.audit(
        AuditEntry(.account, name, .edit, ["totp": ("off", "on")]), by: name, at: time)
      return true
    }
  }

  /// Turns the second factor off.
  func removeSecondFactor(_ name: String, at time: Timestamp) async throws(StorageError) {
    try await storage.transaction { work throws(StorageError) in
      try work.change(
        """
        UPDATE luna.accounts SET totp = NULL, totp_pending = NULL, recovery = NULL WHERE name = $1
        """, [.text(name)])
      try work.audit(
        AuditEntry(.account, name, .edit, ["totp": ("on", "off")]), by: name, at: time)
    }
  }

  /// What became of a code after the password.
  enum CodeResult: Sendable {
    /// It was right: the session that waited has become this one.
    case signedIn(AccountRole)
    /// It was wrong, and may be tried again, or is used up.
    case wrong
    /// There is no session that waits for a code.
    case none
  }

  /// Tries a code, or a recovery code, for a session that waits for one. After as many wrong ones as
  /// are taken the session is over.
  func enter(
    _ text: String, for secret: RandomSecret, successor: NewSession, at time: Timestamp
  ) async throws(StorageError) -> CodeResult {
    try await storage.transaction { work throws(StorageError) in
      let digest = StorageValue.bytes(try StorageError.unless(secret.digest()))
      let row = try work.row(
        """
        SELECT s.account, a.role, a.totp, a.totp_step, a.recovery, s.tries
        FROM luna.sessions AS s JOIN luna.accounts AS a ON a.name = s.account
        WHERE s.digest = $1 AND s.state = 'codeNeeded' AND s.expires > $2
        """, [digest, .integer(time.microseconds)])
      guard let row, let role = AccountRole(rawValue: row.text(1)), !row.isNull(2) else {
        return .none
      }
      let name = row.text(0)
      let totp = OneTimeCode(secret: row.bytes(2))
      if let step = try StorageError.unless(totp.step(of: text, at: time, after: row.integer(3))) {
        try work.change(
          "UPDATE luna.accounts SET totp_step = $1 WHERE name = $2",
          [.integer(step), .text(name)])
      } else if let left = try StorageError.unless(RecoveryCode.redeem(text, of: row.bytes(4))) {
        try work.change(
          "UPDATE luna.accounts SET recovery = $1 WHERE name = $2", [.bytes(left), .text(name)])
      } else {
        if row.integer(5) >= Session.codeTries - 1 {
          try work.change("DELETE FROM luna.sessions WHERE digest = $1", [digest])
        } else {
          try work.change("UPDATE luna.sessions SET tries = tries + 1 WHERE digest = $1", [digest])
        }
        return .wrong
      }
      try work.change("DELETE FROM luna.sessions WHERE digest = $1", [digest])
      try AccountStore.begin(successor, account: name, at: time, work)
      return .signedIn(role)
    }
  }
}
