package import Bluetooth
import Diagnosis
package import LunaCore
import LunaCrypto
package import LunaStore
import SQLite
package import WebAccess

/// The accounts of a home, their sessions, links and tokens, in `home.sqlite`.
package struct HomeAccounts: Sendable {
  let store: HomeStore

  /// Accounts in a database.
  package init(_ store: HomeStore) { self.store = store }

  private static let columns =
    "a.name, a.role, a.trackers, a.until, a.created, a.totp IS NOT NULL, a.password IS NOT NULL"

  /// The account in the first seven columns of a row.
  private static func account(_ row: borrowing Statement<DeviceStoreError>) -> HomeAccount? {
    guard let role = HomeRole(rawValue: row.text(1)) else { return nil }
    let created = Timestamp(microseconds: row.integer(4))
    return HomeAccount(
      name: row.text(0), role: role,
      rights: row.text(2).split(separator: "\n").map { HomeGuestRight(line: $0, at: created) },
      until: row.optionalInteger(3).map { Timestamp(microseconds: $0) },
      createdAt: created, hasSecondFactor: row.integer(5) != 0,
      canSignIn: row.integer(6) != 0)
  }

  /// All of them, by name.
  package func accounts() async throws(DeviceStoreError) -> [HomeAccount] {
    try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        "SELECT \(HomeAccounts.columns) FROM accounts AS a ORDER BY name", [],
        HomeAccounts.account)
    }
  }

  /// One of them.
  package func account(_ name: String) async throws(DeviceStoreError) -> HomeAccount? {
    try await credentials(name)?.account
  }

  /// Whether nobody can sign in yet.
  package func isEmpty() async throws(DeviceStoreError) -> Bool {
    try await store.read { database throws(DeviceStoreError) in
      try HomeAccounts.isEmpty(database)
    }
  }

  private static func isEmpty(
    _ database: borrowing HomeDatabase
  ) throws(DeviceStoreError) -> Bool {
    try database.rows("SELECT 1 FROM accounts WHERE password IS NOT NULL LIMIT 1") { _ in true }
      .isEmpty
  }

  func credentials(_ name: String) async throws(DeviceStoreError) -> HomeCredentials? {
    try await store.read { database throws(DeviceStoreError) in
      try HomeAccounts.credentials(name, database)
    }
  }

  private static func credentials(
    _ name: String, _ database: borrowing HomeDatabase
  ) throws(DeviceStoreError) -> HomeCredentials? {
    try database.rows(
      "SELECT \(columns), a.password FROM accounts AS a WHERE a.name = ?1", [.text(name)]
    ) { row in
      account(row).map { HomeCredentials(account: $0, password: PasswordHash(row.text(7))) }
    }.first
  }

  /// Makes an account that waits for its link.
  ///
  /// - Parameters:
  ///   - trackers: those that a guest sees and rings.
  ///   - see: those that a guest only sees.
  ///   - until: when a guest's right ends.
  package func add(
    _ name: String, _ role: HomeRole, trackers: [String] = [], see: [String] = [],
    until: Timestamp? = nil, at time: Timestamp
  ) async throws -> RandomSecret {
    try await keepingLink(.join, name, at: time) { database throws(DeviceStoreError) in
      guard try HomeAccounts.credentials(name, database) == nil else { return .nameTaken }
      // It may become the only owner, and its right ends.
      if role == .owner, until != nil, try HomeAccounts.ownership(database) < 2 {
        return .lastOwner
      }
      try database.change(
        "INSERT INTO accounts(name, role, trackers, until, created) VALUES(?1, ?2, ?3, ?4, ?5)",
        [
          .text(name), .text(role.rawValue),
          .text(HomeGuestRight.lines(ring: trackers, see: see, at: time)),
          .integer(until?.microseconds), .integer(time.microseconds),
        ])
      return nil
    }
  }

  /// Makes a link with which somebody gives an account another password.
  package func reset(_ name: String, at time: Timestamp) async throws -> RandomSecret {
    try await keepingLink(.reset, name, at: time) { database throws(DeviceStoreError) in
      try HomeAccounts.credentials(name, database) == nil ? .unknown : nil
    }
  }

  /// Makes a link for the first account, or with which an owner is signed in.
  ///
  /// - Parameter isBesideOthers: whether those before it stay good, as that of a home that starts: somebody may
  ///   just have asked for one.
  package func setupLink(
    at time: Timestamp, isBesideOthers: Bool = false
  ) async throws -> RandomSecret {
    try await keepingLink(.setup, nil, at: time, isBesideOthers: isBesideOthers) { _ in nil }
  }

  /// Has a link be good no more that nobody was told.
  package func withdraw(_ secret: RandomSecret) async throws {
    let digest = try secret.digest()
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change("DELETE FROM links WHERE digest = ?1", [.bytes(digest)])
    }
  }

  func keepingLink(
    _ kind: HomeLinkKind, _ name: String?, at time: Timestamp, isBesideOthers: Bool = false,
    _ body:
      @escaping @Sendable (borrowing HomeDatabase) throws(DeviceStoreError)
      -> HomeAccountRefusal?
  ) async throws -> RandomSecret {
    let secret = try RandomSecret()
    let digest = try secret.digest()
    let refusal = try await store.transaction {
      database throws(DeviceStoreError) -> HomeAccountRefusal? in
      if let refusal = try body(database) { return refusal }
      // Those before it are no longer good.
      try database.change(
        "DELETE FROM links WHERE (account IS ?1 AND NOT ?3) OR expires < ?2",
        [.text(name), .integer(time.microseconds), .integer(isBesideOthers ? 1 : 0)])
      try database.change(
        "INSERT INTO links(digest, kind, account, expires) VALUES(?1, ?2, ?3, ?4)",
        [
          .bytes(digest), .text(kind.rawValue), .text(name),
          .integer(time.advanced(by: kind.life).microseconds),
        ])
      return nil
    }
    if let refusal { throw refusal }
    return secret
  }

  /// Gives an account another role; it has to sign in again.
  package func setRole(
    _ name: String, _ role: HomeRole, trackers: [String], see: [String] = [], until: Timestamp?,
    at time: Timestamp
  ) async throws {
    try await edit(
      name, role: role, trackers: trackers, see: see, until: .some(until), at: time)
  }

  /// Changes what an account may do; it has to sign in again. What is nil stays as it was.
  ///
  /// - Parameter until: when its right ends; nil within for never.
  package func edit(
    _ name: String, role: HomeRole?, trackers: [String]?, see: [String]?, until: Timestamp??,
    at time: Timestamp
  ) async throws {
    try await changing(name) { database throws(DeviceStoreError) in
      guard let account = try HomeAccounts.credentials(name, database)?.account else { return }
      let before = account.rights
      let rung =
        trackers ?? before.filter(\.rings).map(\.tracker).filter { see?.contains($0) != true }
      let end: Timestamp? = if let until { until } else { account.until }
      try database.change(
        "UPDATE accounts SET role = ?2, trackers = ?3, until = ?4 WHERE name = ?1",
        [
          .text(name), .text((role ?? account.role).rawValue),
          .text(
            HomeGuestRight.lines(
              ring: rung, see: see ?? before.filter { !$0.rings }.map(\.tracker), at: time,
              before: before)),
          .integer(end?.microseconds),
        ])
      try database.change("DELETE FROM sessions WHERE account = ?1", [.text(name)])
    }
  }

  /// Removes an account with all that it is signed in with.
  package func remove(_ name: String) async throws {
    try await changing(name) { database throws(DeviceStoreError) in
      for table in ["sessions", "links", "passkeys", "identities"] {
        try database.change("DELETE FROM \(table) WHERE account = ?1", [.text(name)])
      }
      try database.change("DELETE FROM accounts WHERE name = ?1", [.text(name)])
    }
  }

  /// Changes an account, where an owner who can sign in, and does not cease to be one, is left if there was one.
  private func changing(
    _ name: String,
    _ body: @escaping @Sendable (borrowing HomeDatabase) throws(DeviceStoreError) -> Void
  ) async throws {
    let refusal = try await store.transaction {
      database throws(DeviceStoreError) -> HomeAccountRefusal? in
      guard try HomeAccounts.credentials(name, database) != nil else { return .unknown }
      let before = try HomeAccounts.ownership(database)
      try database.change("SAVEPOINT change")
      try body(database)
      let isLast = try HomeAccounts.ownership(database) < before
      if isLast { try database.change("ROLLBACK TO change") }
      try database.change("RELEASE change")
      return isLast ? .lastOwner : nil
    }
    if let refusal { throw refusal }
  }

  /// What the owners who can sign in make sure of: 2 where the right of one never ends, 1 where those of all do, 0
  /// without any.
  private static func ownership(
    _ database: borrowing HomeDatabase
  ) throws(DeviceStoreError) -> Int64 {
    try database.rows(
      "SELECT max(1 + (until IS NULL)) FROM accounts WHERE role = 'owner' AND password IS NOT NULL"
    ) { $0.integer(0) }.first ?? 0
  }

  /// Whom a link is for; an empty name for the first account.
  func holder(
    of secret: RandomSecret, _ kind: HomeLinkKind, at time: Timestamp
  ) async throws -> String? {
    let digest = try secret.digest()
    return try await store.read { database throws(DeviceStoreError) in
      try HomeAccounts.holder(digest, kind, at: time, database)
    }
  }

  static func holder(
    _ digest: [UInt8], _ kind: HomeLinkKind, at time: Timestamp, _ database: borrowing HomeDatabase
  ) throws(DeviceStoreError) -> String? {
    try database.rows(
      "SELECT account FROM links WHERE digest = ?1 AND kind = ?2 AND expires > ?3",
      [.bytes(digest), .text(kind.rawValue), .integer(time.microseconds)]
    ) { $0.text(0) }.first
  }

  /// Uses a link up: the account has this password from now on, and this session, and no other one.
  func redeem(
    _ secret: RandomSecret, _ kind: HomeLinkKind, name: String, password: PasswordHash,
    session: RandomSecret, agent: String, at time: Timestamp
  ) async throws -> HomeAccount {
    let (digest, next) = (try secret.digest(), try session.digest())
    let result = try await store.transaction {
      database throws(DeviceStoreError) -> Result<HomeAccount, HomeAccountRefusal> in
      guard let holder = try HomeAccounts.holder(digest, kind, at: time, database),
        holder == (kind == .setup ? "" : name)
      else { return .failure(.link) }
      try database.change("DELETE FROM links WHERE digest = ?1", [.bytes(digest)])
      if kind == .setup {
        guard try HomeAccounts.isEmpty(database) else { return .failure(.link) }
        try database.change(
          "INSERT OR IGNORE INTO accounts(name, role, created) VALUES(?1, 'owner', ?2)",
          [.text(name), .integer(time.microseconds)])
        try database.change(
          "UPDATE accounts SET role = 'owner', until = NULL WHERE name = ?1", [.text(name)])
        try database.change("DELETE FROM links WHERE kind = 'setup'", [])
      }
      // Whoever has the old password is out, also by what was added with that; who needs another one has lost the
      // second factor too.
      for table in ["sessions", "passkeys", "identities"] {
        try database.change("DELETE FROM \(table) WHERE account = ?1", [.text(name)])
      }
      try database.change(
        """
        UPDATE accounts SET password = ?2, totp = NULL, totp_pending = NULL, recovery = NULL
        WHERE name = ?1
        """, [.text(name), .text(password.text)])
      try HomeAccounts.keep(next, name, needsCode: false, agent, at: time, database)
      guard let account = try HomeAccounts.credentials(name, database)?.account else {
        return .failure(.unknown)
      }
      return .success(account)
    }
    return try result.get()
  }

  /// The owner who can sign in, and was made first, better one whose right never ends; nil for none.
  func owner() async throws(DeviceStoreError) -> HomeAccount? {
    try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        """
        SELECT \(HomeAccounts.columns) FROM accounts AS a
        WHERE a.role = 'owner' AND a.password IS NOT NULL
        ORDER BY a.until IS NOT NULL, a.created LIMIT 1
        """, [], HomeAccounts.account
      ).first
    }
  }

  /// Uses up a link of who looks after the machine: the owner has this session.
  func redeem(
    _ secret: RandomSecret, for name: String, session: RandomSecret, agent: String,
    at time: Timestamp
  ) async throws {
    let (digest, next) = (try secret.digest(), try session.digest())
    let isDone = try await store.transaction { database throws(DeviceStoreError) in
      guard try HomeAccounts.holder(digest, .setup, at: time, database) != nil else { return false }
      try database.change("DELETE FROM links WHERE digest = ?1", [.bytes(digest)])
      try HomeAccounts.keep(next, name, needsCode: false, agent, at: time, database)
      return true
    }
    if !isDone { throw HomeAccountRefusal.link }
  }

  private static func keep(
    _ digest: [UInt8], _ name: String, needsCode: Bool, _ agent: String, at time: Timestamp,
    _ database: borrowing HomeDatabase
  ) throws(DeviceStoreError) {
    let old = time.advanced(by: .zero - HomeSession.idle)
    try database.change("DELETE FROM sessions WHERE seen < ?1", [.integer(old.microseconds)])
    try database.change(
      """
      INSERT INTO sessions(digest, id, account, needs_code, created, seen, agent)
      VALUES(?1, ?2, ?3, ?4, ?5, ?5, ?6)
      """,
      [
        .bytes(digest), .text(SecretDigest.name(digest)), .text(name),
        .integer(needsCode ? 1 : 0), .integer(time.microseconds), .text(agent),
      ])
  }

  /// Begins a session in the place of another one of the same browser.
  func begin(
    _ secret: RandomSecret, _ name: String, needsCode: Bool, agent: String,
    after predecessor: RandomSecret?, at time: Timestamp
  ) async throws {
    let (digest, last) = (try secret.digest(), try predecessor?.digest())
    try await store.transaction { database throws(DeviceStoreError) in
      try database.change("DELETE FROM sessions WHERE digest = ?1", [.bytes(last)])
      try HomeAccounts.keep(digest, name, needsCode: needsCode, agent, at: time, database)
    }
  }

  /// The session with a secret, and its account as it is now; nil when there is none, or it is over.
  func session(
    _ secret: RandomSecret, at time: Timestamp
  ) async throws -> (session: HomeSession, account: HomeAccount)? {
    let digest = try secret.digest()
    let found = try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        """
        SELECT \(HomeAccounts.columns), s.id, s.needs_code, s.created, s.seen, s.agent
        FROM sessions AS s JOIN accounts AS a ON a.name = s.account WHERE s.digest = ?1
        """, [.bytes(digest)]
      ) { row in
        HomeAccounts.account(row).map { ($0, HomeAccounts.session(row, from: 7, of: $0.name)) }
      }.first
    }
    guard let (account, session) = found, session.isLive(at: time), account.isGood(at: time) else {
      return nil
    }
    return (session, account)
  }

  /// Those that are signed in, the oldest first.
  func sessions(at time: Timestamp) async throws(DeviceStoreError) -> [HomeSession] {
    try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        """
        SELECT \(HomeAccounts.columns), s.id, s.needs_code, s.created, s.seen, s.agent
        FROM sessions AS s JOIN accounts AS a ON a.name = s.account
        WHERE s.needs_code = 0 ORDER BY s.created, s.id
        """, []
      ) { row in
        HomeAccounts.account(row).map { ($0, HomeAccounts.session(row, from: 7, of: $0.name)) }
      }
    }.filter { $0.0.isGood(at: time) && $0.1.isLive(at: time) }.map(\.1)
  }

  private static func session(
    _ row: borrowing Statement<DeviceStoreError>, from first: Int32, of name: String
  ) -> HomeSession {
    HomeSession(
      id: row.text(first), account: name, needsCode: row.integer(first + 1) != 0,
      createdAt: Timestamp(microseconds: row.integer(first + 2)),
      seenAt: Timestamp(microseconds: row.integer(first + 3)), agent: row.text(first + 4))
  }

  /// Notes that a session was used.
  func note(_ session: HomeSession, at time: Timestamp) async throws(DeviceStoreError) {
    guard abs(time.microseconds - session.seenAt.microseconds) > 60_000_000 else { return }
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "UPDATE sessions SET seen = ?2 WHERE id = ?1",
        [.text(session.id), .integer(time.microseconds)])
    }
  }

  /// Ends the session of an id.
  func end(_ id: String) async throws(DeviceStoreError) {
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change("DELETE FROM sessions WHERE id = ?1", [.text(id)])
    }
  }

  /// Ends the session with a secret.
  func end(_ secret: RandomSecret) async throws {
    let digest = try secret.digest()
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change("DELETE FROM sessions WHERE digest = ?1", [.bytes(digest)])
    }
  }

  /// Counts a wrong code; after as many as are taken the session is over.
  func missed(_ secret: RandomSecret) async throws {
    let digest = try secret.digest()
    try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "UPDATE sessions SET tries = tries + 1 WHERE digest = ?1", [.bytes(digest)])
      try database.change(
        "DELETE FROM sessions WHERE digest = ?1 AND tries >= \(HomeSession.codeTries)",
        [.bytes(digest)])
    }
  }

  /// Gives an account another password; all sessions but a new one end.
  ///
  /// - Returns: false where the old one was changed meanwhile.
  func setPassword(
    _ name: String, _ new: PasswordHash, replacing old: PasswordHash, session: RandomSecret,
    agent: String, at time: Timestamp
  ) async throws -> Bool {
    let digest = try session.digest()
    return try await store.transaction { database throws(DeviceStoreError) in
      let count = try database.change(
        "UPDATE accounts SET password = ?3 WHERE name = ?1 AND password = ?2",
        [.text(name), .text(old.text), .text(new.text)])
      guard count > 0 else { return false }
      try database.change("DELETE FROM sessions WHERE account = ?1", [.text(name)])
      try HomeAccounts.keep(digest, name, needsCode: false, agent, at: time, database)
      return true
    }
  }
}

extension HomeAccount {
  /// Whether it may still do something.
  func isGood(at time: Timestamp) -> Bool { until.map { time < $0 } ?? true }
}
