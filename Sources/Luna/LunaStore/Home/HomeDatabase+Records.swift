package import LunaCore
import LunaJSON
import SQLite

// Why rules ran, why they did not, and what they were told.

extension HomeDatabase {
  /// Of each rule so many records of what did not run are kept.
  static let heldLimit: Int64 = 1000
  /// For so long it is kept why rules ran, µs.
  static let recordLifetime: Int64 = 90 * 86_400 * 1_000_000
  /// For so long inputs are kept, µs: a week, and the day that it began on.
  static let inputLifetime: Int64 = 8 * 86_400 * 1_000_000

  /// Adds records. A firing that is there already stays the only one.
  package func add(_ records: [HomeRecord]) throws(DeviceStoreError) {
    guard !records.isEmpty else { return }
    let insert = try connection.prepare(
      """
      INSERT OR IGNORE INTO records(kind, rule, firing, time, value) VALUES(?1, ?2, ?3, ?4, ?5)
      """)
    for record in records {
      insert.bind(1, record.kind.rawValue)
      insert.bind(2, record.rule)
      if let firing = record.firing { insert.bind(3, firing) } else { insert.bind(3, nil) }
      insert.bind(4, record.time)
      insert.bind(5, record.json.description)
      try insert.run()
    }
    // In pieces, so that it costs nothing at each record.
    let drop = try connection.prepare(
      """
      DELETE FROM records WHERE rule = ?1 AND kind <> 0 AND number <= (
        SELECT number FROM records WHERE rule = ?1 AND kind <> 0
        ORDER BY number DESC LIMIT 1 OFFSET \(HomeDatabase.heldLimit))
      """)
    for rule in Set(records.lazy.filter { $0.kind != .firing }.map(\.rule)) {
      drop.bind(1, rule)
      try drop.run()
    }
  }

  /// Records, the newest first.
  ///
  /// - Parameters:
  ///   - rule: of one rule; nil for all.
  ///   - kinds: of these kinds.
  ///   - end: none that is later, µs since 1970.
  package func records(
    of rule: String?, kinds: [HomeRecord.Kind], until end: Int64, limit: Int
  ) throws(DeviceStoreError) -> [HomeRecord] {
    let list = kinds.map { String($0.rawValue) }.joined(separator: ",")
    let statement = try connection.prepare(
      """
      SELECT kind, rule, firing, time, value FROM records
      WHERE kind IN (\(list)) AND time <= ?1 \(rule == nil ? "" : "AND rule = ?3")
      ORDER BY number DESC LIMIT ?2
      """)
    statement.bind(1, end)
    statement.bind(2, Int64(limit))
    if let rule { statement.bind(3, rule) }
    var found: [HomeRecord] = []
    while try statement.step() {
      guard let kind = HomeRecord.Kind(rawValue: statement.integer(0)),
        let json = try? JSONReader.read(Array(statement.text(4).utf8))
      else { continue }
      found.append(
        HomeRecord(
          kind, rule: statement.text(1), firing: statement.isNull(2) ? nil : statement.text(2),
          time: statement.integer(3), json: json))
    }
    return found
  }

  /// Keeps what the rules were told: a line of JSON each.
  package func add(inputs: [(time: Int64, line: String)]) throws(DeviceStoreError) {
    guard !inputs.isEmpty else { return }
    let insert = try connection.prepare("INSERT INTO inputs(time, value) VALUES(?1, ?2)")
    for input in inputs {
      insert.bind(1, input.time)
      insert.bind(2, input.line)
      try insert.run()
    }
  }

  /// What the rules were told in a span of time, a piece at a time.
  ///
  /// - Parameter number: after this one.
  package func inputs(
    from start: Int64, to end: Int64, after number: Int64, limit: Int
  ) throws(DeviceStoreError) -> [(number: Int64, time: Int64, line: String)] {
    let statement = try connection.prepare(
      """
      SELECT number, time, value FROM inputs WHERE time >= ?1 AND time < ?2 AND number > ?3
      ORDER BY number LIMIT ?4
      """)
    statement.bind(1, start)
    statement.bind(2, end)
    statement.bind(3, number)
    statement.bind(4, Int64(limit))
    var found: [(Int64, Int64, String)] = []
    while try statement.step() {
      found.append((statement.integer(0), statement.integer(1), statement.text(2)))
    }
    return found
  }

  /// Drops what is too old.
  package func dropOld(at now: Int64) throws(DeviceStoreError) {
    let records = now - HomeDatabase.recordLifetime
    try connection.execute(
      """
      DELETE FROM records WHERE time < \(records);
      DELETE FROM outcomes WHERE time < \(records);
      DELETE FROM commands WHERE time < \(records);
      DELETE FROM inputs WHERE time < \(now - HomeDatabase.inputLifetime);
      """)
  }
}
