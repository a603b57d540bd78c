public import Bluetooth
public import LunaCore
public import LunaProtocol
import SafeText

extension PostgreSQLStorage {
  /// Keeps a command, once: the same request again gets the name of the first.
  ///
  /// - Throws: `limit` when the owner has `openLimit` open ones.
  public func submit(
    _ command: NewCommand, as key: OutcomeKey, openLimit: Int
  ) async throws(StorageError) -> RequestID {
    try await pool.run { connection throws(StorageError) in
      try connection.transaction { () throws(StorageError) in
        try PostgreSQLStorage.lock("commands", command.owner, connection)
        let work = PostgreSQLTransaction(connection: connection)
        if let made = try work.repeated(key, at: command.createdAt) {
          return RequestID(made) ?? command.id
        }
        let open = try connection.run(
          """
          SELECT count(*) FROM luna.commands
          WHERE owner = $1 AND expires > $2 AND outcome IS NULL AND cancelled IS NULL
          """, [.text(command.owner), .integer(command.createdAt.microseconds)])
        guard open.integer(0, 0) < openLimit else {
          throw StorageError(.limit, "the owner has \(openLimit) open commands already")
        }
        _ = try connection.run(
          """
          INSERT INTO luna.commands(id, owner, created, expires, first_heid)
          VALUES($1, $2, $3, $4, $5)
          """,
          [
            .bytes(command.id.bytes), .text(command.owner),
            .integer(command.createdAt.microseconds), .integer(command.expiresAt.microseconds),
            command.packages.first.map { .bytes($0.heid.bytes.span.array) } ?? .null,
          ])
        _ = try connection.run(
          """
          INSERT INTO luna.packages(heid, command, data)
          SELECT h, $2, d FROM unnest($1, $3) AS t(h, d) ON CONFLICT DO NOTHING
          """,
          [
            .blobs(command.packages.map { $0.heid.bytes.span.array }), .bytes(command.id.bytes),
            .blobs(command.packages.map { $0.bytes.span.array }),
          ])
        try work.keep(command.id.description, for: key, at: command.createdAt)
        return command.id
      }
    }
  }

  /// Commands that wait for trackers.
  public func openCommands(
    matching heids: [HEID], for gateway: String, at time: Timestamp
  ) async throws(StorageError) -> [OpenCommand] {
    let keys = heids.map { $0.bytes.span.array }
    return try await pool.run { connection throws(StorageError) in
      try connection.retrying { () throws(StorageError) in
        let rows = try connection.run(
          """
          SELECT c.id, c.expires, p.data FROM luna.packages p
          JOIN luna.commands c ON c.id = p.command
          WHERE p.heid = ANY($1) AND c.outcome IS NULL AND c.cancelled IS NULL AND c.expires > $2
            AND (c.leased_until <= $2 OR c.leased_to = $3)
          """, [.blobs(keys), .integer(time.microseconds), .text(gateway)])
        var commands: [OpenCommand] = []
        for row in 0..<rows.count {
          let bytes = rows.bytes(row, 2)
          guard let package = ControlPackage(bytes.span) else { continue }
          let id = RequestID(bytes: rows.bytes(row, 0))
          if let index = commands.firstIndex(where: { $0.id == id }) {
            commands[index].packages.append(package)
          } else {
            let end = Timestamp(microseconds: rows.integer(row, 1))
            commands.append(OpenCommand(id: id, expiresAt: end, packages: [package]))
          }
        }
        return commands
      }
    }
  }

  /// Leases commands to a gateway.
  public func lease(
    _ ids: [RequestID], to gateway: String, at time: Timestamp, until end: Timestamp
  ) async throws(StorageError) -> Set<RequestID> {
    try await pool.run { connection throws(StorageError) in
      try connection.transaction { () throws(StorageError) in
        let rows = try connection.run(
          """
          UPDATE luna.commands SET leased_to = $1, leased_until = $2
          WHERE id = ANY($3) AND outcome IS NULL AND cancelled IS NULL AND expires > $4
            AND (leased_until <= $4 OR leased_to = $1) RETURNING id
          """,
          [
            .text(gateway), .integer(end.microseconds), .blobs(ids.map(\.bytes)),
            .integer(time.microseconds),
          ])
        let granted = (0..<rows.count).map { rows.bytes($0, 0) }
        _ = try connection.run(
          """
          INSERT INTO luna.leases(command, gateway) SELECT c, $2 FROM unnest($1) AS t(c)
          ON CONFLICT DO NOTHING
          """, [.blobs(granted), .text(gateway)])
        return Set(granted.map { RequestID(bytes: $0) })
      }
    }
  }

  /// Notes what became of a command.
  public func confirm(
    _ confirmation: CommandConfirmation, id: RequestID, by gateway: String, at time: Timestamp
  ) async throws(StorageError) -> ConfirmationResult {
    try await pool.run { connection throws(StorageError) in
      try connection.transaction { () throws(StorageError) in
        // Locked, which is written: what is noted already is acknowledged again when a standby has it.
        let known = try connection.run(
          """
          SELECT 1 FROM luna.commands c JOIN luna.packages p ON p.command = c.id
          WHERE p.heid = $1 AND c.id = $2 FOR UPDATE OF c
          """,
          [.bytes(confirmation.heid.bytes.span.array), .bytes(id.bytes)])
        guard known.count > 0 else { return .unknown }
        let offered = try connection.run(
          "SELECT 1 FROM luna.leases WHERE command = $1 AND gateway = $2",
          [.bytes(id.bytes), .text(gateway)])
        guard offered.count > 0 else { return .neverOffered }
        if confirmation.outcome == .notReached {
          // Whoever has it now keeps it; a lease of this gateway ends.
          _ = try connection.run(
            """
            UPDATE luna.commands SET leased_until = 0
            WHERE id = $1 AND leased_to = $2 AND outcome IS NULL
            """, [.bytes(id.bytes), .text(gateway)])
          return .noted
        }
        // A receipt counts more than a failure; of two receipts the first stays.
        let replaces =
          confirmation.outcome == .done
          ? "outcome IS DISTINCT FROM 'done'" : "outcome IS NULL"
        _ = try connection.run(
          """
          UPDATE luna.commands SET outcome = $1, heid = $2, receipt = $3::bytea, detail = $4::text
          WHERE id = $5 AND \(replaces)
          """,
          [
            .text(confirmation.outcome.rawValue),
            .bytes(confirmation.heid.bytes.span.array),
            confirmation.receipt.map { .bytes($0) } ?? .null,
            confirmation.detail.map { .text($0.raw) } ?? .null, .bytes(id.bytes),
          ])
        return .noted
      }
    }
  }
}
