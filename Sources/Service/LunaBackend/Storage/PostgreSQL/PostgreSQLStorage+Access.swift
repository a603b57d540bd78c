public import Bluetooth
public import LunaCore

extension PostgreSQLStorage {
  private static let tokenColumns = "id, role, name, digest, created, revoked, rights"

  private static func token(_ rows: borrowing PostgreSQLRows, _ row: Int) -> TokenRecord? {
    guard let role = TokenRole(rawValue: rows.text(row, 1)) else { return nil }
    return TokenRecord(
      id: rows.text(row, 0), role: role, name: rows.text(row, 2), digest: rows.bytes(row, 3),
      createdAt: Timestamp(microseconds: rows.integer(row, 4)),
      revokedAt: rows.isNull(row, 5)
        ? nil : Timestamp(microseconds: rows.integer(row, 5)),
      rights: AccountRole(rawValue: rows.text(row, 6)))
  }

  /// Inside of a transaction.
  private static func insert(
    _ token: TokenRecord, _ connection: PostgreSQLConnection
  ) throws(StorageError) {
    let holder: [PostgreSQLValue] = [.text(token.role.rawValue), .text(token.name)]
    try lock(token.role.rawValue, token.name, connection)
    let live = try connection.run(
      "SELECT count(*) FROM luna.tokens WHERE role = $1 AND name = $2 AND revoked IS NULL",
      holder)
    guard live.integer(0, 0) < TokenRecord.liveLimit else { throw .tooManyTokens(token) }
    _ = try connection.run(
      """
      INSERT INTO luna.tokens(id, role, name, digest, created, rights)
      VALUES($1, $2, $3, $4, $5, $6)
      """,
      [
        .text(token.id), .text(token.role.rawValue), .text(token.name), .bytes(token.digest),
        .integer(token.createdAt.microseconds),
        token.rights.map { .text($0.rawValue) } ?? .null,
      ])
  }

  /// Keeps a token.
  ///
  /// - Throws: `limit` when two tokens of that role and name are live.
  public func add(_ token: TokenRecord) async throws(StorageError) {
    try await pool.run { connection throws(StorageError) in
      try connection.once { () throws(StorageError) in
        try PostgreSQLStorage.insert(token, connection)
      }
    }
  }

  /// The token with an id.
  public func token(_ id: String) async throws(StorageError) -> TokenRecord? {
    try await pool.run { connection throws(StorageError) in
      try connection.retrying { () throws(StorageError) in
        let rows = try connection.run(
          "SELECT \(PostgreSQLStorage.tokenColumns) FROM luna.tokens WHERE id = $1",
          [.text(id)])
        return rows.count > 0 ? PostgreSQLStorage.token(rows, 0) : nil
      }
    }
  }

  /// All tokens, revoked ones among them, by role, name and age.
  public func tokens() async throws(StorageError) -> [TokenRecord] {
    try await pool.run(.long) { connection throws(StorageError) in
      try connection.retrying { () throws(StorageError) in
        let rows = try connection.run(
          "SELECT \(PostgreSQLStorage.tokenColumns) FROM luna.tokens ORDER BY role, name, created")
        return (0..<rows.count).compactMap { PostgreSQLStorage.token(rows, $0) }
      }
    }
  }

  /// Revokes a token at once.
  ///
  /// - Returns: false when there is no live token with that id.
  public func revoke(_ id: String, at time: Timestamp) async throws(StorageError) -> Bool {
    try await pool.run { connection throws(StorageError) in
      // It is noted, also where there is nothing to revoke any more: that somebody else has done it is said when a
      // standby has it.
      try connection.once { () throws(StorageError) in
        try connection.run(
          "UPDATE luna.tokens SET revoked = $1 WHERE id = $2 AND revoked IS NULL",
          [.integer(time.microseconds), .text(id)]
        ).changes > 0
      }
    }
  }

  /// Keeps an enrolment code.
  public func add(_ enrolment: EnrolmentRecord) async throws(StorageError) {
    try await pool.run { connection throws(StorageError) in
      _ = try connection.run(
        "INSERT INTO luna.enrolments(digest, name, expires) VALUES($1, $2, $3)",
        [
          .bytes(enrolment.digest), .text(enrolment.name),
          .integer(enrolment.expiresAt.microseconds),
        ])
    }
  }

  /// Whether there is an enrolment code that can be used up.
  public func hasEnrolment(
    _ digest: [UInt8], at time: Timestamp
  ) async throws(StorageError) -> Bool {
    try await pool.run { connection throws(StorageError) in
      try connection.retrying { () throws(StorageError) in
        try connection.run(
          "SELECT 1 FROM luna.enrolments WHERE digest = $1 AND expires > $2",
          [.bytes(digest), .integer(time.microseconds)]
        ).count > 0
      }
    }
  }

  /// Uses up an enrolment code.
  public func redeem(
    _ digest: [UInt8], as key: OutcomeKey, at time: Timestamp,
    token: @escaping @Sendable (String) throws(StorageError) -> TokenRecord
  ) async throws(StorageError) -> TokenRecord? {
    try await pool.run { connection throws(StorageError) in
      try connection.transaction { () throws(StorageError) in
        let rows = try connection.run(
          "DELETE FROM luna.enrolments WHERE digest = $1 AND expires > $2 RETURNING name",
          [.bytes(digest), .integer(time.microseconds)])
        // Whoever has waited for another to use it up sees now what that one has made.
        return try PostgreSQLTransaction(connection: connection).redeem(
          rows.count > 0 ? rows.text(0, 0) : nil, as: key, at: time, token: token
        ) { record throws(StorageError) in try PostgreSQLStorage.insert(record, connection) }
      }
    }
  }

  /// All gateways that ever uploaded, by name.
  public func gateways() async throws(StorageError) -> [GatewayRecord] {
    try await pool.run(.long) { connection throws(StorageError) in
      try connection.retrying { () throws(StorageError) in
        let rows = try connection.run(
          "SELECT name, seen, version, uptime, queue_depth FROM luna.gateways ORDER BY name")
        return (0..<rows.count).map { row in
          let report =
            rows.isNull(row, 2)
            ? nil
            : GatewayReport(
              version: rows.text(row, 2), uptime: rows.integer(row, 3),
              queueDepth: rows.integer(row, 4))
          return GatewayRecord(
            name: rows.text(row, 0), seenAt: Timestamp(microseconds: rows.integer(row, 1)),
            report: report)
        }
      }
    }
  }

  /// Notes that a gateway uploaded.
  public func touch(
    _ gateway: String, report: GatewayReport?, at time: Timestamp
  ) async throws(StorageError) {
    try await pool.run { connection throws(StorageError) in
      // Types: NULL says nothing of its own.
      _ = try connection.run(
        """
        INSERT INTO luna.gateways AS g(name, seen, version, uptime, queue_depth)
        VALUES($1, $2, $3::text, $4::int8, $5::int8) ON CONFLICT(name) DO UPDATE
        SET seen = excluded.seen, version = coalesce(excluded.version, g.version),
          uptime = coalesce(excluded.uptime, g.uptime),
          queue_depth = coalesce(excluded.queue_depth, g.queue_depth)
        """,
        [
          .text(gateway), .integer(time.microseconds),
          report.map { .text($0.version) } ?? .null, report.map { .integer($0.uptime) } ?? .null,
          report.map { .integer($0.queueDepth) } ?? .null,
        ])
    }
  }
}
