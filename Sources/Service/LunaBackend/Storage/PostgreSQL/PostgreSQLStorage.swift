public import Bluetooth
import CPostgreSQL
import Diagnosis
public import LunaCore
import LunaJSON
public import LunaProtocol
import SafeText

/// Keeps what a backend knows in PostgreSQL. Any number of backends may use one database.
public final class PostgreSQLStorage: Storage {
  let pool: PostgreSQLPool
  private let queries: PostgreSQLQueries
  private let days: PostgreSQLDays
  private let settings: String
  private let link: PostgreSQLLink

  /// How logs call it; the connection may have a password in it.
  public let name = "postgresql"

  /// A storage; connections are made when they are needed.
  ///
  /// - Parameters:
  ///   - settings: as libpq takes them.
  ///   - connections: how many are made at most, two or more; half of them are for
  ///     ``events(heids:days:after:limit:for:)``. Two more look after the days, and hear of changes.
  ///   - capacity: how many events may wait to be written.
  ///   - outage: tells when the server is lost and when it is back, and what it says otherwise.
  public init(
    _ settings: String, connections: Int = StorageSettings().connections,
    capacity: Int = StorageSettings().capacity, outage: StorageOutage = StorageOutage(.none)
  ) throws(StorageError) {
    try PostgreSQLStorage.check(settings)
    let link = PostgreSQLLink(outage)
    self.settings = settings
    self.link = link
    let days = PostgreSQLDays(settings, link, outage)
    let shards = PostgreSQLShards(outage)
    self.days = days
    let half = max(1, connections / 2)
    queries = PostgreSQLQueries(settings, link, connections: half)
    pool = PostgreSQLPool(
      settings, link, connections: max(1, connections - half), capacity: capacity,
      batchLimit: 1000
    ) { jobs, connection in
      PostgreSQLIngest(days: days, shards: shards, connection: connection).run(jobs)
    }
  }

  /// Whether libpq is there, and can read the settings.
  private static func check(_ settings: String) throws(StorageError) {
    if let problem = cpq_load() {
      throw StorageError(
        .failed, "libpq cannot be loaded: \(String(cString: problem))",
        remedy: "sudo apt install libpq5")
    }
    // A name of a database, as libpq takes it too, has neither.
    guard settings.contains("=") || settings.contains(text: "://") else { return }
    guard cpq_can_read(settings) else {
      // What libpq says repeats the settings, with the password that may be in them.
      throw StorageError(
        .malformed, "the settings after postgres: are not what PostgreSQL takes",
        remedy: "such as postgres:service=luna, or postgres://HOST/DATABASE")
    }
  }

  /// Brings the database to this version.
  public func migrate() async throws(StorageError) {
    try await pool.run { connection throws(StorageError) in
      try PostgreSQLSchema.migrate(connection)
    }
  }

  /// Keeps events: all for which there is a place.
  ///
  /// - Returns: what became of each, in their order.
  public func ingest(
    _ events: [IdentifiedEvent], at time: Timestamp
  ) async throws(StorageError) -> [IngestResult] {
    if events.isEmpty { return [] }
    return try await pool.keep(events, at: time.microseconds)
  }

  /// Events of some identifiers and days.
  public func events(
    heids: [HEID], days: ClosedRange<Day>, after position: EventPosition?, limit: Int,
    for owner: String
  ) async throws(StorageError) -> [FoundEvent] {
    // What lies before the page is not looked for again: the database would, and read it from every day.
    let keys = Set(heids).filter { heid in
      position.map { ($0.heid.high, $0.heid.low) <= (heid.high, heid.low) } ?? true
    }.map { $0.bytes.span.array }
    if keys.isEmpty { return [] }
    // Before everything: no day is the first one that there can be.
    let none = [UInt8](repeating: 0, count: HEID.byteCount)
    let (heid, id) = (position?.heid.bytes.span.array, position?.id.bytes.span.array)
    let day = Int64(position?.day.number ?? .min)
    let places = self.days
    return try await queries.run(for: owner) { connection throws(StorageError) in
      func page(
        _ table: PostgreSQLEventTable, _ keys: [[UInt8]]
      ) throws(StorageError) -> [FoundEvent] {
        try PostgreSQLStorage.page(
          table, connection,
          [
            table.keys(keys), .integer(Int64(days.lowerBound.number)),
            .integer(Int64(days.upperBound.number)), table.key(heid ?? none), .integer(day),
            table.key(id ?? none), .integer(Int64(limit)),
          ])
      }
      func current() throws(StorageError) -> [FoundEvent] {
        guard try connection.findEngine().isSpread else { return try page(.current, keys) }
        var found: [FoundEvent] = []
        for part in try PostgreSQLShards.parts(of: keys, connection) {
          var share = part.indices.map { keys[$0] }
          // What lies behind a page that is full is of the next one.
          if found.count >= limit, let last = found.last?.event.event.heid.bytes.span.array {
            share.removeAll { last.lexicographicallyPrecedes($0) }
          }
          if share.isEmpty { continue }
          found = PostgreSQLStorage.merge(found, try page(.current, share), limit)
        }
        return found
      }
      let isMoving = try places.old(connection).contains { days.contains($0) }
      guard isMoving else { return try current() }
      // In this order: what is moved meanwhile is found in both.
      let old = try page(.old, keys)
      return PostgreSQLStorage.merge(old, try current(), limit)
    }
  }

  private static func page(
    _ table: PostgreSQLEventTable, _ connection: PostgreSQLConnection,
    _ parameters: [PostgreSQLValue]
  ) throws(StorageError) -> [FoundEvent] {
    try connection.retrying { () throws(StorageError) in
      let rows = try connection.run(
        """
        SELECT heid, day, event_id, version, location, esf, received, debug FROM \(table.name)
        WHERE heid = ANY($1) AND day BETWEEN $2::int8::int4 AND $3::int8::int4
          AND (heid, day, event_id) > ($4, $5::int8::int4, $6)
        ORDER BY heid, day, event_id LIMIT $7
        """, parameters)
      var found: [FoundEvent] = []
      for row in 0..<rows.count { found.append(try PostgreSQLStorage.event(rows, row)) }
      return found
    }
  }

  /// Of two pages the first events, each once.
  private static func merge(
    _ old: [FoundEvent], _ new: [FoundEvent], _ limit: Int
  ) -> [FoundEvent] {
    let known = Set(old.map(\.event.id))
    let all = old + new.filter { !known.contains($0.event.id) }
    return Array(
      all.sorted { left, right in
        let (a, b) = (EventPosition(left.event), EventPosition(right.event))
        return (a.heid.high, a.heid.low, a.day, a.id) < (b.heid.high, b.heid.low, b.day, b.id)
      }.prefix(limit))
  }

  /// How many events there are of a day.
  func count(of day: Day) async throws(StorageError) -> Int {
    try await pool.run(.long) { [days] connection throws(StorageError) in
      let number = [PostgreSQLValue.integer(Int64(day.number))]
      // From the first identifier on: nothing is asked of events without one, by which they may be spread.
      let rows = try connection.run(
        "SELECT count(*) FROM luna.events WHERE heid >= $2 AND day = $1::int8::int4",
        number + [.uuid([UInt8](repeating: 0, count: 16))])
      guard try days.old(connection).contains(day) else { return Int(rows.integer(0, 0)) }
      let old = try connection.run(
        """
        SELECT count(*) FROM luna.events_old o WHERE day = $1::int8::int4 AND NOT EXISTS (
          SELECT FROM luna.events e WHERE e.day = o.day
            AND e.heid = encode(o.heid, 'hex')::uuid AND e.event_id = encode(o.event_id, 'hex')::uuid)
        """, number)
      return Int(rows.integer(0, 0) + old.integer(0, 0))
    }
  }

  private static func event(
    _ rows: borrowing PostgreSQLRows, _ row: Int
  ) throws(StorageError) -> FoundEvent {
    let key = rows.bytes(row, 0)
    guard let heid = HEID(key.span), let id = EventID(rows.bytes(row, 2)) else {
      throw StorageError(.damaged, "an event has an identifier that is none")
    }
    var debug: JSONObject?
    if !rows.isNull(row, 7),
      case .object(let object)? = try? JSONReader.read(rows.bytes(row, 7))
    {
      debug = object
    }
    let event = TrackerEvent(
      protocolVersion: Int(rows.integer(row, 3)), heid: heid, encodedLocation: rows.bytes(row, 4),
      esf: ESF(value: UInt32(truncatingIfNeeded: rows.integer(row, 5))),
      day: Day(number: Int32(truncatingIfNeeded: rows.integer(row, 1))), debug: debug)
    return FoundEvent(
      IdentifiedEvent(event, id: id),
      receivedAt: Timestamp(microseconds: rows.integer(row, 6)))
  }

  /// So many days are made ahead: as long may nobody look after them.
  private static let ahead: Int32 = 14
  /// So many rows are dropped at once: uploads come between them.
  static let piece = 128

  /// Makes the days that are missing, of those between two.
  public func makeRoom(for range: ClosedRange<Day>) async throws(StorageError) {
    let numbers = range.lowerBound.number...range.upperBound.number
    try await days.make(numbers.map(Day.init(number:)))
  }

  /// Drops what is too old, and makes the coming days, and those since then that are missing.
  public func prune(before day: Day, at time: Timestamp) async throws(StorageError) -> Int {
    let today = Day(time)
    try await makeRoom(for: today...today + PostgreSQLStorage.ahead)
    let end = time.microseconds - 30 * 86_400_000_000
    for (table, key) in [("commands", "id"), ("enrolments", "digest")] {
      while try await dropPiece(of: table, key, before: end) {}
    }
    // The newest first: of those, events come soonest.
    if day < today {
      try await days.make((day.number..<today.number).reversed().map(Day.init(number:)))
    }
    days.moveOld(since: day)
    return try await days.drop(before: day, on: today)
  }

  /// Drops some rows that ended before a time. All at once might take longer than a statement may: with a command go up to
  /// 4,096 packages.
  ///
  /// - Returns: whether there may be more.
  private func dropPiece(
    of table: String, _ key: String, before end: Int64
  ) async throws(StorageError) -> Bool {
    try await pool.run { connection throws(StorageError) in
      try connection.run(
        """
        DELETE FROM luna.\(table) WHERE \(key) IN (
          SELECT \(key) FROM luna.\(table) WHERE expires < $1 LIMIT \(PostgreSQLStorage.piece))
        """, [.integer(end)]
      ).changes == PostgreSQLStorage.piece
    }
  }

  /// Listens on a connection of its own.
  public func watch(_ told: @escaping @Sendable () -> Void) -> (any StorageWatch)? {
    PostgreSQLWatch(PostgreSQLConnection(settings, link), told)
  }

  /// How much waits to be written.
  public var load: Double { pool.load }

  /// They go by what is kept for all of them.
  public var isShared: Bool { true }

  /// The time at the server.
  public var time: Timestamp? { link.time }

  /// Writes something, to see whether that works.
  public func health() async throws(StorageError) {
    try await pool.run { [link] connection throws(StorageError) in
      guard try PostgreSQLSchema.check(connection) == PostgreSQLSchema.steps.count else {
        throw StorageError(
          .outdated, "the database has not been brought to this version",
          remedy: "\(.migration)")
      }
      _ = try connection.run("UPDATE luna.probe SET count = count + 1")
      if let problem = link.timeProblem { throw StorageError(.unavailable, problem) }
    }
  }

  /// Whether what is acknowledged is on a second server by then, as its settings have it.
  package func waitsForStandby() async throws(StorageError) -> Bool {
    try await pool.run { connection throws(StorageError) in
      try connection.run(
        """
        SELECT 1 WHERE current_setting('synchronous_standby_names') <> ''
          AND current_setting('synchronous_commit') NOT IN ('off', 'local')
        """
      ).count > 0
    }
  }

  /// Always throws: copies of a database are made with its own tools.
  public func backup(to path: String, replacing: Bool) async throws(StorageError) {
    throw StorageError(
      .failed, "a PostgreSQL database is backed up with its own tools",
      remedy: "use pg_basebackup, or pg_dump; while that reads, no old day is dropped")
  }

  /// Waits for what is being written.
  public func close() async { try? await pool.run { _ throws(StorageError) in } }
}

extension Span where Element == UInt8 {
  /// A copy.
  var array: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for index in indices { bytes.append(self[index]) }
    return bytes
  }
}
