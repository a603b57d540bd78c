import Diagnosis
import EventLoop
import Glibc
import LunaCore
import Synchronization

/// The days of the table of events, each a partition. They are made ahead and dropped as a whole, here alone: on a
/// connection and a thread of its own, by one process at a time, and in steps that nobody has to wait for (`ATTACH`
/// and `DETACH … CONCURRENTLY` let others read and write; whatever cannot have its lock in a second leaves it).
final class PostgreSQLDays: Sendable {
  /// The number of the lock of the process that looks after the days: "LunD".
  private static let lock: Int64 = 0x4C75_6E44
  /// How often it is looked whether another process has made the days or lets go of the lock, and how far apart, ms.
  private static let (turns, turn): (Int, Int32) = (150, 200)

  let thread = Blocking(name: "luna.backend.postgresql.days")
  let connection: PostgreSQLConnection
  let outage: StorageOutage
  let pauses: [Int32]
  private let wanted = Mutex<Set<Day>>([])
  let move = Mutex(PostgreSQLMove())

  /// - Parameter pauses: how long it waits each time until it tries a step again that others were in the way of, ms.
  init(
    _ settings: String, _ link: PostgreSQLLink, _ outage: StorageOutage,
    pauses: [Int32] = PostgreSQLConnection.pauses
  ) {
    connection = PostgreSQLConnection(settings, link, for: .days)
    self.outage = outage
    self.pauses = pauses
  }

  /// Makes days that are missing, in the order in which they are named.
  func make(_ days: [Day]) async throws(StorageError) {
    try await thread.run { () throws(StorageError) in try self.makeAll(days) }
  }

  /// Drops days before one, of those that all processes have agreed to drop.
  ///
  /// - Returns: how many events were in them, about.
  func drop(before day: Day, on today: Day) async throws(StorageError) -> Int {
    try await thread.run { () throws(StorageError) in
      try self.dropAll(before: day, on: today)
    }
  }

  /// Has days made that were missed, while whoever missed them goes on.
  func want(_ days: Set<Day>) {
    let isFirst = wanted.withLock { wanted in
      defer { wanted.formUnion(days) }
      return wanted.isEmpty
    }
    guard isFirst else { return }
    thread.start { [self] in
      let days = wanted.withLock { wanted in
        defer { wanted = [] }
        return wanted.sorted(by: >)
      }
      let (began, operation) = (ContinuousClock.now, "makeDays")
      do throws(StorageError) {
        try makeAll(days)
        outage.worked(operation)
      } catch {
        outage.failed(error, operation, since: began)
      }
    }
  }

  /// The days for which there is a place.
  static func present(_ connection: PostgreSQLConnection) throws(StorageError) -> Set<Day> {
    Set(try tables(.current, connection).filter { $0.value.state == .attached }.keys)
  }

  struct Table {
    enum State { case attached, leaving, alone }
    let state: State
    /// About.
    let count: Int
  }

  func makeAll(_ days: [Day]) throws(StorageError) {
    try alone { () throws(StorageError) in
      let present = try PostgreSQLDays.present(connection)
      return days.contains { !present.contains($0) }
    } do: { () throws(StorageError) in
      let tables = try PostgreSQLDays.tables(.current, connection)
      let missing = days.filter { tables[$0]?.state != .attached }
      for day in missing {
        try connection.patiently(pauses) { () throws(StorageError) in
          try make(day, tables[day]?.state)
        }
      }
      if !missing.isEmpty { try remind(of: .current, turns: PostgreSQLDays.soon) }
    }
  }

  private func make(_ day: Day, _ state: Table.State?) throws(StorageError) {
    let table = PostgreSQLEventTable.current.partition(day)
    if state == .leaving { try finishLeaving(day, of: .current) }
    try connection.transaction { () throws(StorageError) in
      if state == nil {
        try connection.execute("CREATE TABLE \(table) (LIKE luna.events INCLUDING ALL)")
      }
      try attach(day, to: .current)
    }
  }

  private func attach(_ day: Day, to events: PostgreSQLEventTable) throws(StorageError) {
    try connection.execute(
      """
      ALTER TABLE \(events.name) ATTACH PARTITION \(events.partition(day))
      FOR VALUES FROM (\(day.number)) TO (\(day.number + 1))
      """)
  }

  private func dropAll(before end: Day, on today: Day) throws(StorageError) -> Int {
    var count = 0
    for events in PostgreSQLEventTable.allCases {
      try alone { () throws(StorageError) in
        try PostgreSQLDays.tables(events, connection).keys.contains { $0 < end }
      } do: { () throws(StorageError) in
        let past = try PostgreSQLDays.tables(events, connection).filter { $0.key < end }
        for (day, table) in past.sorted(by: { $0.key < $1.key }) {
          // Asked before each: somebody may have made it longer.
          if try isKept(day, on: today) { break }
          let isGone = try drop(day, table.state, of: events) { () throws(StorageError) in
            try isKept(day, on: today, "FOR SHARE")
          }
          if !isGone {
            try remind(of: events, turns: PostgreSQLDays.soon)
            break
          }
          count += table.count
        }
      }
    }
    return count
  }

  /// Whether all processes have agreed to keep a day.
  ///
  /// - Parameter lock: keeps them from agreeing on something else before the end of the transaction.
  private func isKept(
    _ day: Day, on today: Day, _ lock: String = ""
  ) throws(StorageError) -> Bool {
    let rows = try connection.run(
      "SELECT value FROM luna.settings WHERE name = $1 \(lock)",
      [.text(SharedSetting.retention.row)])
    guard rows.count > 0, let retention = Int32(rows.text(0, 0)) else { return false }
    return day >= today + -retention
  }

  /// Drops a day.
  ///
  /// - Parameter isKept: whether it is to stay after all; asked in the transaction that drops it, since somebody may have
  ///   said so while it left.
  /// - Returns: whether it is gone.
  @discardableResult
  func drop(
    _ day: Day, _ state: Table.State, of events: PostgreSQLEventTable,
    unless isKept: () throws(StorageError) -> Bool = { () throws(StorageError) in false }
  ) throws(StorageError) -> Bool {
    var state = state
    var isGone = true
    // Citus cannot have one leave while others go on: it is dropped where it is.
    if state == .attached, events == .current, try connection.findEngine() == .citus {
      state = .alone
    }
    try connection.patiently(pauses) { () throws(StorageError) in
      switch state {
      case .attached:
        // Whatever ends it in its middle, it has to be finished from now on.
        state = .leaving
        try connection.execute(
          "ALTER TABLE \(events.name) DETACH PARTITION \(events.partition(day)) CONCURRENTLY")
      case .leaving:
        try finishLeaving(day, of: events)
      case .alone: break
      }
      state = .alone
      isGone = try connection.transaction { () throws(StorageError) -> Bool in
        if try isKept() {
          try takeBack(day, to: events)
          return false
        }
        try connection.execute("DROP TABLE IF EXISTS \(events.partition(day))")
        return true
      }
    }
    return isGone
  }

  private func takeBack(_ day: Day, to events: PostgreSQLEventTable) throws(StorageError) {
    // With Citus it has not left.
    guard try PostgreSQLDays.tables(events, connection)[day]?.state == .alone else { return }
    try attach(day, to: events)
  }

  /// What was to leave and was cut off has to, before any other may.
  func finishLeaving(_ day: Day, of events: PostgreSQLEventTable) throws(StorageError) {
    // It may have been cut off before it began, or just after its end.
    switch try PostgreSQLDays.tables(events, connection)[day]?.state {
    case .attached:
      try connection.execute(
        "ALTER TABLE \(events.name) DETACH PARTITION \(events.partition(day)) CONCURRENTLY")
    case .leaving:
      try connection.execute(
        "ALTER TABLE \(events.name) DETACH PARTITION \(events.partition(day)) FINALIZE")
    case .alone, nil: break
    }
  }

  /// Does something as the only process that looks after the days.
  func inTurn(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    try alone(while: { () throws(StorageError) in true }, do: body)
  }

  /// Does something as the only process that looks after the days, while there is something to do: another one
  /// may have done it in the meantime.
  private func alone(
    while isNeeded: () throws(StorageError) -> Bool, do body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    for _ in 0..<PostgreSQLDays.turns {
      guard try isNeeded() else { return }
      try checkRights()
      if try take(PostgreSQLDays.lock) {
        defer { letGo(PostgreSQLDays.lock) }
        return try body()
      }
      _ = poll(nil, 0, PostgreSQLDays.turn)
    }
    throw StorageError(
      .unavailable, "another process has been looking after the days of the database for long")
  }

  /// Whether this process has a lock now that one alone can have.
  func take(_ lock: Int64) throws(StorageError) -> Bool {
    try connection.run("SELECT pg_try_advisory_lock($1)", [.integer(lock)]).bytes(0, 0) == [1]
  }

  /// A connection that is lost has let go of it.
  func letGo(_ lock: Int64) {
    _ = try? connection.run("SELECT pg_advisory_unlock($1)", [.integer(lock)])
  }

  /// Some processes are to serve only.
  func mayChange() throws(StorageError) -> Bool {
    let rows = try connection.run(
      """
      SELECT pg_has_role(relowner, 'USAGE') AND has_schema_privilege(relnamespace, 'CREATE')
      FROM pg_class WHERE oid = 'luna.events'::regclass
      """)
    guard rows.count > 0 else { return false }
    return rows.bytes(0, 0) == [1]
  }

  private func checkRights() throws(StorageError) {
    guard try mayChange() else {
      throw StorageError(
        .denied, "this role of the database may not make or drop days",
        remedy: "have another one that may run all the time")
    }
  }

  static func tables(
    _ events: PostgreSQLEventTable, _ connection: PostgreSQLConnection
  ) throws(StorageError) -> [Day: Table] {
    let rows = try connection.run(
      """
      SELECT c.relname::text, i.inhrelid IS NOT NULL, coalesce(i.inhdetachpending, false),
        greatest(c.reltuples, 0)::int8
      FROM pg_class c
      LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = to_regclass($1)
      WHERE c.relnamespace = 'luna'::regnamespace AND c.relkind IN ('r', 'p')
        AND c.relname LIKE 'events\\_%'
      """, [.text(events.name)])
    var tables: [Day: Table] = [:]
    for row in 0..<rows.count {
      guard let day = events.day(rows.text(row, 0)) else { continue }
      let isAttached = rows.bytes(row, 1) == [1]
      let isLeaving = rows.bytes(row, 2) == [1]
      tables[day] = Table(
        state: !isAttached ? .alone : isLeaving ? .leaving : .attached,
        count: Int(rows.integer(row, 3)))
    }
    return tables
  }
}
