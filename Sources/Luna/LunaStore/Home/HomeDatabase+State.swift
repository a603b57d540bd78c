package import LunaCore
import SQLite

// The state of the rules, and what became of actions and commands.

extension HomeDatabase {
  /// The state, in its parts.
  package func parts() throws(DeviceStoreError) -> [String: [UInt8]] {
    let statement = try connection.prepare("SELECT name, value FROM parts")
    var parts: [String: [UInt8]] = [:]
    while try statement.step() { parts[statement.text(0)] = statement.bytes(1) }
    return parts
  }

  /// Keeps parts of the state; those that are nil are gone.
  package func save(_ parts: [String: [UInt8]?]) throws(DeviceStoreError) {
    let put = try connection.prepare("REPLACE INTO parts VALUES(?1, ?2)")
    let remove = try connection.prepare("DELETE FROM parts WHERE name = ?1")
    for (name, value) in parts {
      if let value {
        put.bind(1, name)
        put.bind(2, value.span)
        try put.run()
      } else {
        remove.bind(1, name)
        try remove.run()
      }
    }
  }

  /// Notes what became of actions.
  package func save(_ outcomes: [HomeOutcome]) throws(DeviceStoreError) {
    guard !outcomes.isEmpty else { return }
    let put = try connection.prepare(
      """
      INSERT INTO outcomes VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT DO UPDATE SET state = excluded.state, time = excluded.time, detail = excluded.detail
      """)
    for outcome in outcomes {
      put.bind(1, outcome.firing)
      put.bind(2, Int64(outcome.action))
      put.bind(3, Int64(outcome.part))
      put.bind(4, outcome.name)
      put.bind(5, outcome.state.rawValue)
      put.bind(6, outcome.time)
      put.bind(7, outcome.detail)
      put.bind(8, outcome.request)
      try put.run()
    }
  }

  /// The actions of a firing.
  package func outcomes(of firing: String) throws(DeviceStoreError) -> [HomeOutcome] {
    let statement = try connection.prepare(
      HomeDatabase.selectOutcomes + " WHERE firing = ?1 ORDER BY action, part")
    statement.bind(1, firing)
    return try HomeDatabase.outcomes(statement)
  }

  /// The actions that nobody knows the end of.
  package func begunOutcomes() throws(DeviceStoreError) -> [HomeOutcome] {
    try HomeDatabase.outcomes(
      connection.prepare(
        HomeDatabase.selectOutcomes + " WHERE state = 'begun' ORDER BY time, firing, action, part"))
  }

  private static let selectOutcomes =
    "SELECT firing, action, part, name, state, time, detail, request FROM outcomes"

  private static func outcomes(
    _ row: borrowing Statement
  ) throws(DeviceStoreError) -> [HomeOutcome] {
    var found: [HomeOutcome] = []
    while try row.step() {
      found.append(
        HomeOutcome(
          firing: row.text(0), action: Int(clamping: row.integer(1)),
          part: Int(clamping: row.integer(2)), name: row.text(3),
          state: HomeOutcome.State(rawValue: row.text(4)) ?? .failed, time: row.integer(5),
          detail: row.text(6), request: row.text(7)))
    }
    return found
  }

  /// Notes how far a command is.
  package func save(_ command: HomeCommandRow) throws(DeviceStoreError) {
    let put = try connection.prepare("REPLACE INTO commands VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    put.bind(1, command.id)
    put.bind(2, command.tracker)
    put.bind(3, command.action)
    if let value = command.value { put.bind(4, value) } else { put.bind(4, nil) }
    put.bind(5, command.state)
    put.bind(6, command.time)
    put.bind(7, command.changed)
    put.bind(8, command.detail)
    try put.run()
  }

  /// A command; nil when there is none of that id.
  package func command(_ id: String) throws(DeviceStoreError) -> HomeCommandRow? {
    let row = try connection.prepare(
      "SELECT id, tracker, action, value, state, time, changed, detail FROM commands WHERE id = ?1")
    row.bind(1, id)
    guard try row.step() else { return nil }
    return HomeCommandRow(
      id: row.text(0), tracker: row.text(1), action: row.text(2),
      value: row.isNull(3) ? nil : row.text(3), state: row.text(4), time: row.integer(5),
      changed: row.integer(6), detail: row.text(7))
  }

  /// After the process has ended in the middle of something: nothing goes on that had begun.
  package func interruptCommands(at time: Int64) throws(DeviceStoreError) {
    try connection.execute(
      """
      UPDATE commands SET state = 'interrupted', changed = \(time)
      WHERE state NOT IN ('done', 'failed', 'expired', 'interrupted')
      """)
  }
}
