package import LunaCore
import LunaJSON
import SQLite

// What properties were.

extension HomeDatabase {
  private static let hour: Int64 = 3_600_000_000
  private static let day: Int64 = 24 * hour

  /// The number of a property of a tracker; made where there is none.
  private func series(
    _ tracker: String, _ property: String, making makes: Bool
  ) throws(DeviceStoreError) -> Int64? {
    let find = try connection.prepare("SELECT id FROM series WHERE tracker = ?1 AND property = ?2")
    find.bind(1, tracker)
    find.bind(2, property)
    if try find.step() { return find.integer(0) }
    guard makes else { return nil }
    let insert = try connection.prepare("INSERT INTO series(tracker, property) VALUES(?1, ?2)")
    insert.bind(1, tracker)
    insert.bind(2, property)
    try insert.run()
    return connection.lastRow
  }

  /// Keeps a value; another one of that time gives way.
  package func add(
    _ point: HomePoint, of property: String, of tracker: String
  ) throws(DeviceStoreError) {
    guard point.value != .null, let id = try series(tracker, property, making: true) else { return }
    let insert = try connection.prepare("REPLACE INTO points VALUES(?1, ?2, ?3)")
    insert.bind(1, id)
    insert.bind(2, point.time)
    switch point.value {
    case .integer(let value): insert.bind(3, value)
    // SQLite keeps no NaN.
    case .real(let value): insert.bind(3, real: value.isFinite ? value : 0)
    case .string(let value): insert.bind(3, value)
    default: insert.bind(3, point.value.bytes.span)
    }
    try insert.run()
  }

  /// The values of a property in a span of time, oldest first.
  ///
  /// - Parameters:
  ///   - bucket: puts values of so many µs together; nil for each on its own.
  package func history(
    of property: String, of tracker: String, from start: Int64, to end: Int64, limit: Int,
    bucket: Int64?
  ) throws(DeviceStoreError) -> [HomePoint] {
    guard let id = try series(tracker, property, making: false) else { return [] }
    var collector = HistoryCollector(bucket: bucket, limit: limit)
    // What was put together by the hour is older than what was not.
    for table in ["hours", "points"] where !collector.isFull {
      let statement = try connection.prepare(
        """
        SELECT time, value FROM \(table) WHERE series = ?1 AND time >= ?2 AND time < ?3 ORDER BY time
        """)
      statement.bind(1, id)
      statement.bind(2, start)
      statement.bind(3, end)
      while !collector.isFull, try statement.step() {
        guard let value = HomeDatabase.value(statement, 1) else { continue }
        collector.add(statement.integer(0), value)
      }
    }
    return collector.points
  }

  private static func value(_ row: borrowing Statement, _ column: Int32) -> JSONValue? {
    switch row.kind(column) {
    case .null: nil
    case .integer: .integer(row.integer(column))
    case .real: .real(row.real(column))
    case .text: .string(row.text(column))
    case .bytes: try? JSONReader.read(row.bytes(column))
    }
  }

  /// Keeps where a tracker was.
  ///
  /// - Returns: whether it was not known before.
  package func add(_ point: HomeTrackPoint, of tracker: String) throws(DeviceStoreError) -> Bool {
    guard let id = try series(tracker, "location", making: true) else { return false }
    let insert = try connection.prepare(
      "INSERT OR IGNORE INTO fixes VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    insert.bind(1, id)
    insert.bind(2, point.time)
    insert.bind(3, point.report)
    insert.bind(4, Int64((point.latitude * 1e7).rounded()))
    insert.bind(5, Int64((point.longitude * 1e7).rounded()))
    insert.bind(6, Int64((min(point.accuracy, 1e9) * 10).rounded()))
    insert.bind(7, point.source)
    try insert.run()
    return connection.changes > 0
  }

  /// Where a tracker was in a span of time, oldest first.
  package func track(
    of tracker: String, from start: Int64, to end: Int64, limit: Int
  ) throws(DeviceStoreError) -> [HomeTrackPoint] {
    guard let id = try series(tracker, "location", making: false) else { return [] }
    let row = try connection.prepare(
      """
      SELECT time, report, latitude, longitude, accuracy, source FROM fixes
      WHERE series = ?1 AND time >= ?2 AND time < ?3 ORDER BY time, report LIMIT ?4
      """)
    row.bind(1, id)
    row.bind(2, start)
    row.bind(3, end)
    row.bind(4, Int64(limit))
    var points: [HomeTrackPoint] = []
    while try row.step() {
      points.append(
        HomeTrackPoint(
          time: row.integer(0), latitude: Double(row.integer(2)) / 1e7,
          longitude: Double(row.integer(3)) / 1e7, accuracy: Double(row.integer(4)) / 10,
          source: row.text(5), report: row.integer(1)))
    }
    return points
  }

  /// Puts the values of a tracker that are older than a moment together by the hour: of numbers the
  /// mean, of others the last one. Of positions the last one of each hour stays.
  package func thin(_ tracker: String, before moment: Int64) throws(DeviceStoreError) {
    // Whole hours: one that was put together is complete.
    let end = moment - ((moment % HomeDatabase.hour) + HomeDatabase.hour) % HomeDatabase.hour
    let select = try connection.prepare("SELECT id FROM series WHERE tracker = ?1")
    select.bind(1, tracker)
    var ids: [Int64] = []
    while try select.step() { ids.append(select.integer(0)) }
    for id in ids { try thin(id, before: end) }
  }

  private func thin(_ id: Int64, before end: Int64) throws(DeviceStoreError) {
    let hour = HomeDatabase.hour
    // SQLite takes the other columns of a group from the row of its max().
    try connection.execute(
      """
      REPLACE INTO hours SELECT series, start, CASE WHEN numbers = count THEN mean ELSE value END
      FROM (SELECT series, time - time % \(hour) AS start, value, max(time), count(*) AS count,
        sum(typeof(value) IN ('integer', 'real')) AS numbers, avg(value) AS mean
        FROM points WHERE series = \(id) AND time < \(end) GROUP BY start);
      DELETE FROM points WHERE series = \(id) AND time < \(end);
      DELETE FROM fixes WHERE series = \(id) AND time < \(end) AND (time, report) NOT IN (
        SELECT max(time), report FROM fixes WHERE series = \(id) AND time < \(end)
        GROUP BY time / \(hour));
      """)
  }

  /// Puts the oldest values together, a day at a time, until the database is no larger than it may be.
  ///
  /// - Returns: before when all values were put together, µs since 1970; nil when there was room.
  package func makeRoom(within limit: Int64) throws(DeviceStoreError) -> Int64? {
    var reached: Int64?
    while try size() > limit {
      // Only what can still become less counts.
      let oldest = try connection.prepare("SELECT min(time) FROM points")
      guard try oldest.step(), let first = oldest.optionalInteger(0) else { return reached }
      let start = first - first % HomeDatabase.day
      let (end, overflows) = start.addingReportingOverflow(HomeDatabase.day)
      // What no series has, or is later than any day, cannot be put together.
      guard !overflows, end != reached else { return reached }
      let select = try connection.prepare("SELECT id FROM series")
      var ids: [Int64] = []
      while try select.step() { ids.append(select.integer(0)) }
      for id in ids { try thin(id, before: end) }
      reached = end
    }
    return reached
  }

  /// The trackers of which there is something.
  package func trackers() throws(DeviceStoreError) -> [String] {
    let select = try connection.prepare("SELECT DISTINCT tracker FROM series ORDER BY tracker")
    var found: [String] = []
    while try select.step() { found.append(select.text(0)) }
    return found
  }

  /// Drops all that is kept of a tracker, and what was asked of it. What the rules were told stays for its
  /// eight days: a day is to be judged as it was.
  package func forget(_ tracker: String) throws(DeviceStoreError) {
    for table in ["points", "hours", "fixes"] {
      let drop = try connection.prepare(
        "DELETE FROM \(table) WHERE series IN (SELECT id FROM series WHERE tracker = ?1)")
      drop.bind(1, tracker)
      try drop.run()
    }
    for table in ["series", "commands"] {
      let drop = try connection.prepare("DELETE FROM \(table) WHERE tracker = ?1")
      drop.bind(1, tracker)
      try drop.run()
    }
  }
}
