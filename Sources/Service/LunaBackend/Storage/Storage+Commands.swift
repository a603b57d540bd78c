public import Bluetooth
public import LunaCore
import LunaProtocol

extension Storage {
  /// How far a command of an owner has come; nil when there is no such command.
  public func command(
    _ id: RequestID, of owner: String, at time: Timestamp
  ) async throws(StorageError) -> CommandStatus? {
    try await lookUp { work throws(StorageError) in
      try CommandRow.status(id, of: owner, at: time, work)
    }
  }

  /// The commands of an owner that are open, and those made since some time: the open ones first, the newest
  /// before others.
  public func commands(
    of owner: String, since start: Timestamp, at time: Timestamp, limit: Int
  ) async throws(StorageError) -> [CommandStatus] {
    try await lookUp { work throws(StorageError) in
      try work.rows(
        """
        \(CommandRow.selection) WHERE c.owner = $1 AND (\(CommandRow.isOpen) OR c.created >= $3)
        ORDER BY CASE WHEN \(CommandRow.isOpen) THEN 0 ELSE 1 END, c.created DESC, c.id LIMIT $4
        """,
        [
          .text(owner), .integer(time.microseconds), .integer(start.microseconds),
          .integer(Int64(limit)),
        ]
      ).map { CommandRow.status($0, at: time) }
    }
  }

  /// Calls a command off that is not over. Who has it on lease may still confirm it.
  ///
  /// - Returns: what became of it; nil when there is no such command.
  public func cancel(
    _ id: RequestID, of owner: String, at time: Timestamp
  ) async throws(StorageError) -> CommandStatus? {
    try await transaction { work throws(StorageError) in
      try work.change(
        """
        UPDATE luna.commands SET cancelled = $1
        WHERE id = $2 AND owner = $3 AND outcome IS NULL AND cancelled IS NULL AND expires > $1
        """, [.integer(time.microseconds), .bytes(id.bytes), .text(owner)])
      return try CommandRow.status(id, of: owner, at: time, work)
    }
  }
}

/// A command as a row of the table.
private enum CommandRow {
  static let selection = """
    SELECT c.id, c.created, c.expires, c.leased_until, c.outcome, c.heid, c.receipt, c.detail,
      c.cancelled, COALESCE(c.first_heid,
        (SELECT p.heid FROM luna.packages p WHERE p.command = c.id ORDER BY p.heid LIMIT 1))
    FROM luna.commands c
    """

  /// Whether a gateway can still get it at the time `$2`.
  static let isOpen = "(c.outcome IS NULL AND c.cancelled IS NULL AND c.expires > $2)"

  static func status(
    _ id: RequestID, of owner: String, at time: Timestamp, _ work: any StorageTransaction
  ) throws(StorageError) -> CommandStatus? {
    try work.row("\(selection) WHERE c.id = $1 AND c.owner = $2", [.bytes(id.bytes), .text(owner)])
      .map { status($0, at: time) }
  }

  static func status(_ row: StorageRow, at time: Timestamp) -> CommandStatus {
    let expiresAt = Timestamp(microseconds: row.integer(2))
    let leasedUntil = Timestamp(microseconds: row.integer(3))
    let isOffered = row.isNull(4) && leasedUntil > time
    return CommandStatus(
      requestID: RequestID(bytes: row.bytes(0)).description,
      state: CommandStatus.State(
        outcome: row.text(4), isCancelled: !row.isNull(8), expiresAt: expiresAt,
        leasedUntil: leasedUntil, at: time),
      createdAt: Timestamp(microseconds: row.integer(1)), expiresAt: expiresAt,
      offeredUntil: isOffered ? leasedUntil : nil,
      cancelledAt: row.optionalInteger(8).map { Timestamp(microseconds: $0) },
      firstHeid: HEID(row.bytes(9).span), heid: HEID(row.bytes(5).span),
      receipt: row.optionalBytes(6), detail: row.optionalText(7))
  }
}
