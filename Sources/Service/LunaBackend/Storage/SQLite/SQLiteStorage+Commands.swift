public import Bluetooth
public import LunaCore
public import LunaProtocol
import SQLite
import SafeText

extension SQLiteStorage {
  /// Keeps a command, once: the same request again gets the name of the first.
  ///
  /// - Throws: `limit` when the owner has `openLimit` open ones.
  public func submit(
    _ command: NewCommand, as key: OutcomeKey, openLimit: Int
  ) async throws(StorageError) -> RequestID {
    try await writer.write { connection throws(StorageError) in
      let work = SQLiteTransaction(connection: connection)
      if let made = try work.repeated(key, at: command.createdAt) {
        return RequestID(made) ?? command.id
      }
      try connection.with(
        """
        SELECT count(*) FROM commands
        WHERE owner = ? AND expires > ? AND outcome IS NULL AND cancelled IS NULL
        """
      ) { count throws(StorageError) in
        count.bind(1, command.owner)
        count.bind(2, command.createdAt.microseconds)
        guard try count.step(), count.integer(0) < openLimit else {
          throw StorageError(.limit, "the owner has \(openLimit) open commands already")
        }
      }
      try connection.with(
        "INSERT INTO commands(id, owner, created, expires, first_heid) VALUES(?, ?, ?, ?, ?)"
      ) { insert throws(StorageError) in
        insert.bind(1, command.id.bytes.span)
        insert.bind(2, command.owner)
        insert.bind(3, command.createdAt.microseconds)
        insert.bind(4, command.expiresAt.microseconds)
        if let first = command.packages.first {
          insert.bind(5, first.heid.bytes.span)
        } else {
          insert.bind(5, nil)
        }
        try insert.run()
      }
      try connection.with(
        "INSERT INTO packages(heid, command, data) VALUES(?, ?, ?) ON CONFLICT DO NOTHING"
      ) { insert throws(StorageError) in
        for package in command.packages {
          insert.bind(1, package.heid.bytes.span)
          insert.bind(2, command.id.bytes.span)
          insert.bind(3, package.bytes.span)
          try insert.run()
        }
      }
      try work.keep(command.id.description, for: key, at: command.createdAt)
      return command.id
    }
  }

  /// Commands that wait for trackers.
  public func openCommands(
    matching heids: [HEID], for gateway: String, at time: Timestamp
  ) async throws(StorageError) -> [OpenCommand] {
    try readers.lookUp { connection throws(StorageError) in
      // Most of the time nobody waits for anything.
      let isAny = try connection.with("SELECT EXISTS(SELECT 1 FROM packages)") {
        select throws(StorageError) in
        try select.step() && select.integer(0) != 0
      }
      guard isAny else { return [] }
      return try connection.with(
        """
        SELECT c.id, c.expires, p.data FROM packages p JOIN commands c ON c.id = p.command
        WHERE p.heid = ?1 AND c.outcome IS NULL AND c.cancelled IS NULL AND c.expires > ?2
          AND (c.leased_until <= ?2 OR c.leased_to = ?3)
        """
      ) { select throws(StorageError) in
        var commands: [OpenCommand] = []
        for heid in heids {
          select.bind(1, heid.bytes.span)
          select.bind(2, time.microseconds)
          select.bind(3, gateway)
          while try select.step() {
            guard let package = ControlPackage(select.bytes(2).span) else { continue }
            let id = RequestID(bytes: select.bytes(0))
            if let index = commands.firstIndex(where: { $0.id == id }) {
              commands[index].packages.append(package)
            } else {
              let end = Timestamp(microseconds: select.integer(1))
              commands.append(OpenCommand(id: id, expiresAt: end, packages: [package]))
            }
          }
          select.reset()
        }
        return commands
      }
    }
  }

  /// Leases commands to a gateway.
  public func lease(
    _ ids: [RequestID], to gateway: String, at time: Timestamp, until end: Timestamp
  ) async throws(StorageError) -> Set<RequestID> {
    try await writer.write { connection throws(StorageError) in
      var granted: Set<RequestID> = []
      for id in ids {
        let isGranted = try connection.with(
          """
          UPDATE commands SET leased_to = ?1, leased_until = ?2
          WHERE id = ?3 AND outcome IS NULL AND cancelled IS NULL AND expires > ?4
            AND (leased_until <= ?4 OR leased_to = ?1)
          """
        ) { update throws(StorageError) in
          update.bind(1, gateway)
          update.bind(2, end.microseconds)
          update.bind(3, id.bytes.span)
          update.bind(4, time.microseconds)
          try update.run()
          return connection.database.changes > 0
        }
        guard isGranted else { continue }
        granted.insert(id)
        try connection.with(
          "INSERT INTO leases(command, gateway) VALUES(?, ?) ON CONFLICT DO NOTHING"
        ) { insert throws(StorageError) in
          insert.bind(1, id.bytes.span)
          insert.bind(2, gateway)
          try insert.run()
        }
      }
      return granted
    }
  }

  /// Notes what became of a command.
  public func confirm(
    _ confirmation: CommandConfirmation, id: RequestID, by gateway: String, at time: Timestamp
  ) async throws(StorageError) -> ConfirmationResult {
    try await writer.write { connection throws(StorageError) in
      let isKnown = try SQLiteStorage.hasRow(
        connection, "SELECT 1 FROM packages WHERE heid = ? AND command = ?"
      ) {
        $0.bind(1, confirmation.heid.bytes.span)
        $0.bind(2, id.bytes.span)
      }
      guard isKnown else { return .unknown }
      let wasOffered = try SQLiteStorage.hasRow(
        connection, "SELECT 1 FROM leases WHERE command = ? AND gateway = ?"
      ) {
        $0.bind(1, id.bytes.span)
        $0.bind(2, gateway)
      }
      guard wasOffered else { return .neverOffered }
      if confirmation.outcome == .notReached {
        // Whoever has it now keeps it; a lease of this gateway ends.
        try connection.with(
          "UPDATE commands SET leased_until = 0 WHERE id = ? AND leased_to = ? AND outcome IS NULL"
        ) { update throws(StorageError) in
          update.bind(1, id.bytes.span)
          update.bind(2, gateway)
          try update.run()
        }
        return .noted
      }
      // A receipt counts more than a failure; of two receipts the first stays.
      let replaces = confirmation.outcome == .done ? "outcome IS NOT 'done'" : "outcome IS NULL"
      try connection.with(
        "UPDATE commands SET outcome = ?, heid = ?, receipt = ?, detail = ? "
          + "WHERE id = ? AND \(replaces)"
      ) { update throws(StorageError) in
        update.bind(1, confirmation.outcome.rawValue)
        update.bind(2, confirmation.heid.bytes.span)
        if let receipt = confirmation.receipt {
          update.bind(3, receipt.span)
        } else {
          update.bind(3, nil)
        }
        if let detail = confirmation.detail {
          update.bind(4, detail.raw)
        } else {
          update.bind(4, nil)
        }
        update.bind(5, id.bytes.span)
        try update.run()
      }
      return .noted
    }
  }

  private static func hasRow(
    _ connection: SQLiteConnection, _ sql: String,
    _ bind: (borrowing Statement<StorageError>) -> Void
  ) throws(StorageError) -> Bool {
    try connection.with(sql) { select throws(StorageError) in
      bind(select)
      return try select.step()
    }
  }
}
