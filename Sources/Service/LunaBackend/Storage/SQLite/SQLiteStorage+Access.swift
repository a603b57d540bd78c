public import Bluetooth
public import LunaCore
import SQLite

extension SQLiteStorage {
  private static let tokenColumns = "id, role, name, digest, created, revoked, rights"

  private static func token(_ row: borrowing Statement<StorageError>) -> TokenRecord? {
    guard let role = TokenRole(rawValue: row.text(1)) else { return nil }
    return TokenRecord(
      id: row.text(0), role: role, name: row.text(2), digest: row.bytes(3),
      createdAt: Timestamp(microseconds: row.integer(4)),
      revokedAt: row.optionalInteger(5).map { Timestamp(microseconds: $0) },
      rights: AccountRole(rawValue: row.text(6)))
  }

  private static func insert(
    _ token: TokenRecord, _ connection: SQLiteConnection
  ) throws(StorageError) {
    try connection.with(
      "SELECT count(*) FROM tokens WHERE role = ? AND name = ? AND revoked IS NULL"
    ) { count throws(StorageError) in
      count.bind(1, token.role.rawValue)
      count.bind(2, token.name)
      guard try count.step(), count.integer(0) < TokenRecord.liveLimit else {
        throw .tooManyTokens(token)
      }
    }
    try connection.with(
      "INSERT INTO tokens(id, role, name, digest, created, rights) VALUES(?, ?, ?, ?, ?, ?)"
    ) { insert throws(StorageError) in
      insert.bind(1, token.id)
      insert.bind(2, token.role.rawValue)
      insert.bind(3, token.name)
      insert.bind(4, token.digest.span)
      insert.bind(5, token.createdAt.microseconds)
      if let rights = token.rights { insert.bind(6, rights.rawValue) } else { insert.bind(6, nil) }
      try insert.run()
    }
  }

  /// Keeps a token.
  ///
  /// - Throws: `limit` when two tokens of that role and name are live.
  public func add(_ token: TokenRecord) async throws(StorageError) {
    try await writer.write { connection throws(StorageError) in
      try SQLiteStorage.insert(token, connection)
    }
  }

  /// The token with an id.
  public func token(_ id: String) async throws(StorageError) -> TokenRecord? {
    try readers.lookUp { connection throws(StorageError) in
      try connection.with("SELECT \(SQLiteStorage.tokenColumns) FROM tokens WHERE id = ?") {
        select throws(StorageError) in
        select.bind(1, id)
        return try select.step() ? SQLiteStorage.token(select) : nil
      }
    }
  }

  /// All tokens, revoked ones among them, by role, name and age.
  public func tokens() async throws(StorageError) -> [TokenRecord] {
    try await readers.read { connection throws(StorageError) in
      try connection.with(
        "SELECT \(SQLiteStorage.tokenColumns) FROM tokens ORDER BY role, name, created"
      ) { select throws(StorageError) in
        var tokens: [TokenRecord] = []
        while try select.step() {
          if let token = SQLiteStorage.token(select) { tokens.append(token) }
        }
        return tokens
      }
    }
  }

  /// Revokes a token at once.
  ///
  /// - Returns: false when there is no live token with that id.
  public func revoke(_ id: String, at time: Timestamp) async throws(StorageError) -> Bool {
    try await writer.write { connection throws(StorageError) in
      try connection.with("UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL") {
        update throws(StorageError) in
        update.bind(1, time.microseconds)
        update.bind(2, id)
        try update.run()
        return connection.database.changes > 0
      }
    }
  }

  /// Keeps an enrolment code.
  public func add(_ enrolment: EnrolmentRecord) async throws(StorageError) {
    try await writer.write { connection throws(StorageError) in
      try connection.with("INSERT INTO enrolments(digest, name, expires) VALUES(?, ?, ?)") {
        insert throws(StorageError) in
        insert.bind(1, enrolment.digest.span)
        insert.bind(2, enrolment.name)
        insert.bind(3, enrolment.expiresAt.microseconds)
        try insert.run()
      }
    }
  }

  /// Whether there is an enrolment code that can be used up.
  public func hasEnrolment(
    _ digest: [UInt8], at time: Timestamp
  ) async throws(StorageError) -> Bool {
    try readers.lookUp { connection throws(StorageError) in
      try connection.with("SELECT 1 FROM enrolments WHERE digest = ? AND expires > ?") {
        select throws(StorageError) in
        select.bind(1, digest.span)
        select.bind(2, time.microseconds)
        return try select.step()
      }
    }
  }

  /// Uses up an enrolment code.
  public func redeem(
    _ digest: [UInt8], as key: OutcomeKey, at time: Timestamp,
    token: @escaping @Sendable (String) throws(StorageError) -> TokenRecord
  ) async throws(StorageError) -> TokenRecord? {
    try await writer.write { connection throws(StorageError) in
      let name: String? = try connection.with(
        "DELETE FROM enrolments WHERE digest = ? AND expires > ? RETURNING name"
      ) { delete throws(StorageError) in
        delete.bind(1, digest.span)
        delete.bind(2, time.microseconds)
        return try delete.step() ? delete.text(0) : nil
      }
      return try SQLiteTransaction(connection: connection).redeem(
        name, as: key, at: time, token: token
      ) { record throws(StorageError) in try SQLiteStorage.insert(record, connection) }
    }
  }

  /// All gateways that ever uploaded, by name.
  public func gateways() async throws(StorageError) -> [GatewayRecord] {
    try await readers.read { connection throws(StorageError) in
      try connection.with(
        "SELECT name, seen, version, uptime, queue_depth FROM gateways ORDER BY name"
      ) { select throws(StorageError) in
        var gateways: [GatewayRecord] = []
        while try select.step() {
          let report =
            select.isNull(2)
            ? nil
            : GatewayReport(
              version: select.text(2), uptime: select.integer(3), queueDepth: select.integer(4))
          gateways.append(
            GatewayRecord(
              name: select.text(0), seenAt: Timestamp(microseconds: select.integer(1)),
              report: report))
        }
        return gateways
      }
    }
  }

  /// Notes that a gateway uploaded.
  public func touch(
    _ gateway: String, report: GatewayReport?, at time: Timestamp
  ) async throws(StorageError) {
    try await writer.write { connection throws(StorageError) in
      try connection.with(
        """
        INSERT INTO gateways(name, seen, version, uptime, queue_depth) VALUES(?, ?, ?, ?, ?)
        ON CONFLICT(name) DO UPDATE SET seen = excluded.seen,
          version = coalesce(excluded.version, version), uptime = coalesce(excluded.uptime, uptime),
          queue_depth = coalesce(excluded.queue_depth, queue_depth)
        """
      ) { insert throws(StorageError) in
        insert.bind(1, gateway)
        insert.bind(2, time.microseconds)
        if let report { insert.bind(3, report.version) } else { insert.bind(3, nil) }
        insert.bind(4, report?.uptime)
        insert.bind(5, report?.queueDepth)
        try insert.run()
      }
    }
  }
}
