import LunaJSON
package import SQLite

/// The rows of the outbox in the database of a home. Each function works in the transaction that is open,
/// or in one of its own.
package enum OutboxTable {
  /// A row, and what became of it.
  package struct Row: Sendable {
    package let entry: OutboxEntry
    package let state: Settlement.State
    package let reason: String
    /// When it went out or was given up, µs since 1970.
    package let ended: Int64?
  }

  /// What is out is kept so long.
  private static let memory: Int64 = 30 * 86_400_000_000

  /// Puts entries into the outbox; one that is there already stays as it is.
  package static func add<Failure>(
    _ entries: [OutboxEntry], to database: borrowing Database<Failure>
  ) throws(Failure) {
    guard !entries.isEmpty else { return }
    let insert = try database.prepare(
      """
      INSERT OR IGNORE INTO outbox(
        firing, number, channel, contact, message, request, at, delayed, since, due)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """)
    for entry in entries {
      insert.bind(1, entry.message.firing)
      insert.bind(2, Int64(entry.number))
      insert.bind(3, entry.channel)
      insert.bind(4, entry.contact)
      insert.bind(5, entry.message.json.description)
      if let request = entry.request {
        insert.bind(6, request.description)
      } else {
        insert.bind(6, nil)
      }
      insert.bind(7, entry.message.at)
      insert.bind(8, entry.isDelayed ? 1 : 0)
      insert.bind(9, entry.since)
      insert.bind(10, entry.due)
      try insert.run()
    }
  }

  /// What waits, after a number or of some others.
  package static func waiting<Failure>(
    after id: Int64, or others: Set<Int64>, in database: borrowing Database<Failure>
  ) throws(Failure) -> [Row] {
    try rows(
      "state = 'waiting' AND (id > \(id) OR id IN (\(list(others.sorted())))) ORDER BY id LIMIT 1000",
      in: database)
  }

  /// What went out since a moment, the oldest first.
  package static func sent<Failure>(
    since time: Int64, in database: borrowing Database<Failure>
  ) throws(Failure) -> [Row] {
    try rows("state = 'sent' AND ended >= \(time) ORDER BY ended, id", in: database)
  }

  /// What waits or did not go out, the oldest first.
  package static func list<Failure>(
    onlyFailed: Bool, in database: borrowing Database<Failure>
  ) throws(Failure) -> [Row] {
    let state = onlyFailed ? "state = 'failed'" : "state IN ('waiting', 'failed')"
    return try rows("\(state) ORDER BY id", in: database)
  }

  /// How many are in a state.
  package static func count<Failure>(
    _ state: Settlement.State, in database: borrowing Database<Failure>
  ) throws(Failure) -> Int64 {
    try database.integer("SELECT count(*) FROM outbox WHERE state = '\(state.rawValue)'")
  }

  /// These entries may arrive from now on.
  package static func markHandedOver<Failure>(
    _ ids: [Int64], in database: borrowing Database<Failure>
  ) throws(Failure) {
    try database.execute("UPDATE outbox SET unsure = unsure + 1 WHERE id IN (\(list(ids)))")
  }

  /// Writes down what became of entries.
  package static func settle<Failure>(
    _ settlement: Settlement, in database: borrowing Database<Failure>
  ) throws(Failure) {
    let update = try database.prepare(
      """
      UPDATE outbox SET state = ?1, reason = ?2, due = ?3, ended = ?4, unsure = 0,
        attempts = attempts + \(settlement.isAttempt ? 1 : 0) WHERE id IN (\(list(settlement.ids)))
      """)
    update.bind(1, settlement.state.rawValue)
    update.bind(2, settlement.reason)
    update.bind(3, settlement.due)
    update.bind(4, settlement.state == .waiting ? nil : settlement.at)
    try update.run()
    guard settlement.state != .waiting else { return }
    try tell(of: settlement, in: database)
  }

  /// Writes down what became of the actions that the entries are from: one that was not told to somebody
  /// has failed.
  private static func tell<Failure>(
    of settlement: Settlement, in database: borrowing Database<Failure>
  ) throws(Failure) {
    let others = """
      EXISTS(SELECT 1 FROM outbox WHERE outbox.firing = outcomes.firing
        AND outbox.number = outcomes.action AND outbox.delayed = outcomes.part AND outbox.state
      """
    let update = try database.prepare(
      """
      UPDATE outcomes SET time = ?1, detail = ?2, state = CASE
        WHEN \(others) = 'failed') THEN 'failed' WHEN \(others) = 'waiting') THEN 'queued'
        ELSE 'done' END
      WHERE (firing, action, part) IN
        (SELECT firing, number, delayed FROM outbox WHERE id IN (\(list(settlement.ids))))
      """)
    update.bind(1, settlement.at)
    update.bind(2, settlement.reason)
    try update.run()
  }

  /// Lets an entry that was put aside wait again.
  ///
  /// - Returns: whether there is such a one.
  package static func retry<Failure>(
    _ id: Int64, at now: Int64, in database: borrowing Database<Failure>
  ) throws(Failure) -> Bool {
    try database.execute(
      """
      UPDATE outbox SET state = 'waiting', since = \(now), due = \(now), unsure = 0, ended = NULL
      WHERE id = \(id) AND state = 'failed'
      """)
    return database.changes > 0
  }

  /// Forgets what was over long ago.
  package static func prune<Failure>(
    at now: Int64, in database: borrowing Database<Failure>
  ) throws(Failure) {
    try database.execute(
      "DELETE FROM outbox WHERE state <> 'waiting' AND ended < \(now - memory)")
  }

  private static func list(_ ids: [Int64]) -> String {
    ids.map { String($0) }.joined(separator: ",")
  }

  /// More tries than there are in the life of an entry.
  private static let most: Int64 = 1_000_000

  private static func rows<Failure>(
    _ condition: String, in database: borrowing Database<Failure>
  ) throws(Failure) -> [Row] {
    let select = try database.prepare(
      """
      SELECT id, number, channel, contact, message, request, delayed, since, due, attempts, unsure,
        reason, state, ended FROM outbox WHERE \(condition)
      """)
    var rows: [Row] = []
    while try select.step() {
      guard let json = try? JSONReader.read(Array(select.text(4).utf8)), let message = Message(json)
      else { continue }
      let request = select.isNull(5) ? nil : try? JSONReader.read(Array(select.text(5).utf8))
      var entry = OutboxEntry(
        message, number: Int(select.integer(1)), channel: select.text(2), contact: select.text(3),
        request: request)
      entry.id = select.integer(0)
      entry.isDelayed = select.integer(6) != 0
      // A damaged row has any numbers.
      entry.since = max(0, select.integer(7))
      entry.due = max(0, select.integer(8))
      entry.attempts = Int(max(0, min(select.integer(9), most)))
      entry.unsure = Int(max(0, min(select.integer(10), most)))
      entry.reason = select.text(11)
      rows.append(
        Row(
          entry: entry, state: Settlement.State(rawValue: select.text(12)) ?? .failed,
          reason: entry.reason, ended: select.optionalInteger(13)))
    }
    return rows
  }
}
