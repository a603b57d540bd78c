package import Bluetooth
import LunaFleet
import WebAccess

/// What is kept of accounts, in whatever storage.
package struct AccountStore: Sendable {
  let storage: any Storage
  /// Who does what is done here, for the history.
  let actor: String

  /// Accounts in a storage.
  ///
  /// - Parameter actor: who does what is done here, for the history; nobody in particular by default.
  package init(_ storage: any Storage, actor: String = "") {
    self.storage = storage
    self.actor = actor
  }

  /// The same for somebody else to change.
  func by(_ caller: Caller?) -> AccountStore {
    AccountStore(storage, actor: caller?.label ?? "")
  }

  /// Writes down something that was done elsewhere.
  func note(_ entry: AuditEntry, at time: Timestamp) async throws(StorageError) {
    let actor = actor
    try await storage.transaction { work throws(StorageError) in
      try work.audit(entry, by: actor, at: time)
    }
  }

  private static let columns = """
    name, role, created, totp IS NOT NULL, password IS NOT NULL OR EXISTS
      (SELECT 1 FROM luna.identities AS i WHERE i.account = accounts.name AND i.kind = 'account')
    """

  private static func account(_ row: StorageRow) -> Account? {
    guard let role = AccountRole(rawValue: row.text(1)) else { return nil }
    return Account(
      name: row.text(0), role: role, createdAt: Timestamp(microseconds: row.integer(2)),
      hasSecondFactor: row.integer(3) != 0, canSignIn: row.integer(4) != 0)
  }

  /// All of them, by name.
  package func accounts() async throws(StorageError) -> [Account] {
    try await storage.read { work throws(StorageError) in
      try work.rows("SELECT \(AccountStore.columns) FROM luna.accounts ORDER BY name")
        .compactMap(AccountStore.account)
    }
  }

  /// One of them.
  package func account(_ name: String) async throws(StorageError) -> Account? {
    try await storage.lookUp { work throws(StorageError) in
      try AccountStore.account(name, work)
    }
  }

  static func account(
    _ name: String, _ work: any StorageTransaction
  ) throws(StorageError) -> Account? {
    try work.row("SELECT \(columns) FROM luna.accounts WHERE name = $1", [.text(name)])
      .flatMap(account)
  }

  /// Whether there is none.
  package func isEmpty() async throws(StorageError) -> Bool {
    try await storage.lookUp { work throws(StorageError) in
      try work.row("SELECT 1 FROM luna.accounts LIMIT 1") == nil
    }
  }

  /// Makes an account that waits for its invitation.
  ///
  /// - Returns: why not; nil when it was made.
  package func add(
    _ name: String, _ role: AccountRole, _ invitation: AccountLink, at time: Timestamp
  ) async throws(StorageError) -> AccountRefusal? {
    try await storage.transaction { work throws(StorageError) in
      guard try AccountStore.account(name, work) == nil else { return .nameTaken }
      try work.change(
        "INSERT INTO luna.accounts(name, role, created) VALUES($1, $2, $3)",
        [.text(name), .text(role.rawValue), .integer(time.microseconds)])
      try AccountStore.keep(invitation, account: name, work)
      try work.audit(
        AuditEntry(.account, name, .add, ["role": (nil, role.rawValue)]), by: actor, at: time)
      return nil
    }
  }

  /// Gives an account another role. It has to sign in again.
  ///
  /// - Returns: why not; nil when it is so now.
  package func setRole(_ name: String, _ role: AccountRole) async throws(StorageError)
    -> AccountRefusal?
  {
    try await setRole(name, role, successor: nil, at: storage.now)
  }

  /// - Parameter successor: for the session of an account that changes its own role.
  func setRole(
    _ name: String, _ role: AccountRole, successor: NewSession?, at time: Timestamp
  ) async throws(StorageError) -> AccountRefusal? {
    try await storage.transaction { work throws(StorageError) in
      guard let account = try AccountStore.account(name, work) else { return .unknown }
      guard account.role != role else { return nil }
      return try AccountStore.keepingAnAdmin(work) { () throws(StorageError) in
        try work.change(
          "UPDATE luna.accounts SET role = $1 WHERE name = $2",
          [.text(role.rawValue), .text(name)])
        try AccountStore.signOut(name, work)
        try work.audit(
          AuditEntry(.account, name, .edit, ["role": (account.role.rawValue, role.rawValue)]),
          by: actor, at: time)
        if let successor { try AccountStore.keep(successor, account: name, at: time, work) }
        return nil
      }
    }
  }

  /// Removes an account with all that it is signed in with, and the commands that it gave as an owner.
  ///
  /// - Returns: why not; nil when it is gone.
  package func remove(
    _ name: String, at time: Timestamp? = nil
  ) async throws(StorageError) -> AccountRefusal? {
    let time = time ?? storage.now
    return try await storage.transaction { work throws(StorageError) in
      guard let account = try AccountStore.account(name, work) else { return .unknown }
      return try AccountStore.keepingAnAdmin(work) { () throws(StorageError) in
        try work.change("DELETE FROM luna.accounts WHERE name = $1", [.text(name)])
        try work.change("DELETE FROM luna.preferences WHERE owner = $1", [.text(name)])
        // Whoever gets the name next is another owner.
        try work.change(
          "DELETE FROM luna.commands WHERE owner = $1", [.text("account:\(name)")])
        try work.audit(
          AuditEntry(.account, name, .remove, ["role": (account.role.rawValue, nil)]),
          by: actor, at: time)
        return nil
      }
    }
  }

  /// What begins the names of settings that say at which issuers people sign in to the console.
  private static let signInPrefix = "signIn "

  /// Notes at which issuers of others people sign in to the console: whoever has only another one cannot
  /// look after accounts.
  func noteSignInIssuers(_ issuers: [String], at time: Timestamp) async throws(StorageError) {
    try await storage.transaction { work throws(StorageError) in
      try work.change(
        "DELETE FROM luna.settings WHERE name LIKE $1", [.text(AccountStore.signInPrefix + "%")])
      for issuer in issuers {
        try work.change(
          """
          INSERT INTO luna.settings(name, value, changed) VALUES($1, '', $2)
          ON CONFLICT(name) DO NOTHING
          """, [.text(AccountStore.signInPrefix + issuer), .integer(time.microseconds)])
      }
    }
  }

  /// Whether nobody else could look after accounts. Who cannot sign in to the console yet does not count,
  /// and is not missed.
  static func isLastAdmin(
    _ account: Account, _ work: any StorageTransaction
  ) throws(StorageError) -> Bool {
    try admins(work) == [account.name]
  }

  /// The admins who can sign in to the console: with a password, or at an issuer where that is possible.
  private static func admins(_ work: any StorageTransaction) throws(StorageError) -> [String] {
    try work.rows(
      """
      SELECT name FROM luna.accounts AS a WHERE role = 'admin' AND (password IS NOT NULL OR EXISTS (
        SELECT 1 FROM luna.identities AS i
        JOIN luna.settings AS s ON s.name = CAST($1 AS TEXT) || i.issuer
        WHERE i.account = a.name AND i.kind = 'account'))
      """, [.text(signInPrefix)]
    ).map { $0.text(0) }
  }

  /// Changes something, and takes it back where no admin could sign in any more though one could before.
  static func keepingAnAdmin(
    _ work: any StorageTransaction, _ change: () throws(StorageError) -> AccountRefusal?
  ) throws(StorageError) -> AccountRefusal? {
    let hadAdmin = try !admins(work).isEmpty
    try work.change("SAVEPOINT admins")
    var refusal = try change()
    if refusal == nil, hadAdmin, try admins(work).isEmpty { refusal = .lastAdmin }
    if refusal != nil { try work.change("ROLLBACK TO SAVEPOINT admins") }
    try work.change("RELEASE SAVEPOINT admins")
    return refusal
  }

  /// Ends all that an account is signed in with.
  static func signOut(
    _ name: String, _ work: any StorageTransaction
  ) throws(StorageError) {
    for table in ["sessions", "refresh", "grants"] {
      try work.change("DELETE FROM luna.\(table) WHERE account = $1", [.text(name)])
    }
  }

  /// Has an account sign in elsewhere, as who an issuer says.
  ///
  /// - Returns: why not; nil when it is so now.
  package func link(
    _ name: String, issuer: String, subject: String, at time: Timestamp
  ) async throws(StorageError) -> AccountRefusal? {
    let fresh = try String(StorageError.unless(RandomSecret()).text.prefix(16))
    return try await storage.transaction { work throws(StorageError) in
      guard try AccountStore.account(name, work) != nil else { return .unknown }
      let known = try work.row(
        "SELECT kind, account, id FROM luna.identities WHERE issuer = $1 AND subject = $2",
        [.text(issuer), .text(subject)])
      if let known, known.text(0) != "waiting" {
        return known.text(0) == "account" && known.text(1) == name ? nil : .identityTaken
      }
      let id = known?.text(2) ?? fresh
      try work.change(
        """
        INSERT INTO luna.identities(id, issuer, subject, kind, account, created, seen)
        VALUES($1, $2, $3, 'account', $4, $5, $5)
        ON CONFLICT(issuer, subject) DO UPDATE SET kind = 'account', account = excluded.account,
          by_rule = 0
        """,
        [
          .text(id), .text(issuer), .text(subject), .text(name), .integer(time.microseconds),
        ])
      try work.audit(
        AuditEntry(
          .identity, id, .edit,
          ["account": (nil, name), "issuer": (nil, issuer), "subject": (nil, subject)]),
        by: actor, at: time)
      return nil
    }
  }

  /// Drops what is over.
  func prune(at time: Timestamp) async throws(StorageError) {
    let idle = time.advanced(by: .zero - Session.idle)
    try await storage.transaction { work throws(StorageError) in
      for table in ["links", "attempts", "grants", "access", "refresh"] {
        try work.change(
          "DELETE FROM luna.\(table) WHERE expires < $1", [.integer(time.microseconds)])
      }
      try work.change("DELETE FROM luna.refresh WHERE ended IS NOT NULL")
      try work.change(
        "DELETE FROM luna.failures WHERE failed < $1",
        [.integer(time.advanced(by: .zero - SignInFailures.lifetime).microseconds)])
      try work.change(
        "DELETE FROM luna.sessions WHERE expires < $1 OR seen < $2",
        [.integer(time.microseconds), .integer(idle.microseconds)])
    }
  }
}
