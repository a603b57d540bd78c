import Bluetooth
import LunaProtocol

/// Commands by their numbers, which they have in a database that several processes share.
extension Storage {
  /// The number of the newest command; 0 where there was none yet.
  func newestCommand() async throws(StorageError) -> Int64 {
    try await lookUp { work throws(StorageError) in
      try work.row("SELECT coalesce(max(seq), 0) FROM luna.commands")?.integer(0) ?? 0
    }
  }

  /// For whom the next commands are that may still be offered.
  ///
  /// - Parameters:
  ///   - number: of the command behind which they begin.
  ///   - end: the number of the last one.
  /// - Returns: the identifiers of some of them, and the number of the last of these; nil where there are no more.
  func waitingHeids(
    after number: Int64, upTo end: Int64, at time: Timestamp
  ) async throws(StorageError) -> (heids: [HEID], last: Int64?) {
    try await lookUp { work throws(StorageError) in
      // A command has up to 4,096 packages.
      let rows = try work.rows(
        """
        SELECT c.seq, p.heid FROM (
          SELECT id, seq FROM luna.commands
          WHERE seq > $1 AND seq <= $2 AND outcome IS NULL AND cancelled IS NULL AND expires > $3
          ORDER BY seq LIMIT 16) AS c
        JOIN luna.packages p ON p.command = c.id
        """, [.integer(number), .integer(end), .integer(time.microseconds)])
      return (rows.compactMap { HEID($0.bytes(1).span) }, rows.map { $0.integer(0) }.max())
    }
  }
}
