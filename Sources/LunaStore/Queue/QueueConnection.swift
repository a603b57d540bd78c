import Bluetooth
import LunaCore
import LunaJSON
import LunaProtocol
import SQLite

/// The one user of the database of a queue: opens it, and does one thing after the other.
actor QueueConnection {
  private let database: Database
  private let lock: ExclusiveLock
  private let limit: Int
  private let queue = StoreQueue()
  /// How many rows are in the tables; nobody else changes them.
  private var waitingCount: Int
  private var asideCount: Int
  /// What is known and not yet written, since the disk was full.
  private var drops: [String: Int] = [:]
  private var settlement = UploadSettlement()
  /// When losses were written that came without an event.
  private var lastCount: ContinuousClock.Instant?

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// How many hours count for what an hour brings, and how many are kept.
  private static let hours: Int64 = 24

  init(
    directory: StateDirectory, fileName: String, limit: Int
  ) throws(DeviceStoreError) {
    let path = "\(directory.path)/\(fileName)"
    try directory.create(for: fileName)
    let lock = try ExclusiveLock(path: path + ".lock", what: "another finder")
    try directory.secure(fileName)
    let database = try Database(path: path, patience: .seconds(10))
    database.keepLog(true)
    _ = try Migration.queue.check(database)
    // A small log and cache: a gateway has little memory, and an event is 100 bytes.
    try database.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512;
      PRAGMA wal_autocheckpoint = 256;
      """)
    try Migration.queue.run(on: database)
    database.keepLog(false)
    let limit = max(1, limit)
    // Another program asks how much fits; on a full disk it gets the answer of before.
    try? database.execute("REPLACE INTO settings VALUES(1, \(limit))")
    let waiting = try database.integer("SELECT count(*) FROM events")
    let aside = try database.integer("SELECT count(*) FROM aside")
    waitingCount = Int(clamping: waiting)
    asideCount = Int(clamping: aside)
    self.limit = limit
    self.database = database
    self.lock = lock
  }

  /// How many events wait.
  var waiting: Int { max(0, waitingCount - settlement.stored.count - settlement.refused.count) }

  // MARK: Events

  func append(_ events: [TrackerEvent], at time: Timestamp) throws(DeviceStoreError) {
    guard !events.isEmpty else { return }
    var gone = (aside: 0, waiting: 0)
    do throws(DeviceStoreError) {
      try write { () throws(DeviceStoreError) in
        gone = try makeRoom(for: events.count)
        let statement = try database.prepare(
          "INSERT INTO events(heid, location, esf, day, time, debug) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
        )
        for event in events.suffix(limit) {
          statement.bind(1, event.heid.bytes.span)
          statement.bind(2, event.encodedLocation.span)
          statement.bind(3, Int64(event.esf.value))
          statement.bind(4, Int64(event.day.number))
          statement.bind(5, time.microseconds)
          if let debug = event.debug {
            statement.bind(6, JSONValue.object(debug).description)
          } else {
            statement.bind(6, nil)
          }
          try statement.run()
        }
        try countHour(time, events.count)
      }
    } catch {
      drops[DropReason.storage, default: 0] += events.count
      throw error
    }
    waitingCount += min(events.count, limit) - gone.waiting
    asideCount -= gone.aside
  }

  /// Deletes what has to go so that so many more fit.
  private func makeRoom(
    for count: Int
  ) throws(DeviceStoreError) -> (aside: Int, waiting: Int) {
    let excess = waitingCount + asideCount + count - limit
    guard excess > 0 else { return (0, 0) }
    var gone = (aside: 0, waiting: 0)
    gone.aside = min(excess, asideCount)
    if gone.aside > 0 {
      try database.execute(
        "DELETE FROM aside WHERE id IN (SELECT id FROM aside ORDER BY id LIMIT \(gone.aside))")
    }
    gone.waiting = min(excess - gone.aside, waitingCount)
    if gone.waiting > 0 {
      try database.execute(
        "DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT \(gone.waiting))")
    }
    try add(excess, to: DropReason.queueFull)
    return gone
  }

  private func countHour(_ time: Timestamp, _ count: Int) throws(DeviceStoreError) {
    let hour = time.unixMilliseconds / 3_600_000
    // A clock that jumped forward and back leaves hours of the future.
    try database.execute(
      """
      INSERT INTO hours VALUES(\(hour), \(count))
      ON CONFLICT(hour) DO UPDATE SET count = count + excluded.count;
      DELETE FROM hours WHERE hour < \(hour - QueueConnection.hours) OR hour > \(hour);
      """)
  }

  func next(_ limit: Int) throws(DeviceStoreError) -> [QueuedEvent] {
    writeLeftOver()
    let settled = Set(settlement.stored).union(settlement.refused.keys)
    let statement = try database.prepare(
      """
      SELECT id, heid, location, esf, day, time, debug FROM events ORDER BY attempts, id LIMIT ?1
      """)
    statement.bind(1, Int64(max(0, limit) + settled.count))
    var events: [QueuedEvent] = []
    while events.count < limit, try statement.step() {
      let id = statement.integer(0)
      guard !settled.contains(id) else { continue }
      let heid = statement.bytes(1)
      guard let heid = HEID(heid.span) else {
        throw .damaged(database.path, "an event has a heid of \(heid.count) bytes")
      }
      var debug: JSONObject?
      if !statement.isNull(6),
        case .object(let object)? = try? JSONReader.read(Array(statement.text(6).utf8))
      {
        debug = object
      }
      let event = TrackerEvent(
        heid: heid, encodedLocation: statement.bytes(2),
        esf: ESF(value: UInt32(truncatingIfNeeded: statement.integer(3))),
        day: Day(number: Int32(clamping: statement.integer(4))), debug: debug)
      events.append(
        QueuedEvent(
          id: id, event: event, queuedAt: Timestamp(microseconds: statement.integer(5))))
    }
    return events
  }

  func settle(_ settlement: UploadSettlement) throws(DeviceStoreError) {
    self.settlement.add(settlement)
    try write { () throws(DeviceStoreError) in }
  }

  // MARK: Confirmations

  func append(
    _ confirmation: CommandConfirmation, at time: Timestamp
  ) throws(DeviceStoreError) {
    try write { () throws(DeviceStoreError) in
      let statement = try database.prepare("INSERT INTO confirmations(body, time) VALUES(?1, ?2)")
      statement.bind(1, confirmation.json.description)
      statement.bind(2, time.microseconds)
      try statement.run()
    }
  }

  func nextConfirmation() throws(DeviceStoreError) -> QueuedConfirmation? {
    while true {
      let (id, body) = try oldestConfirmation()
      guard let id else { return nil }
      if let value = try? JSONReader.read(Array(body.utf8)),
        let confirmation = try? CommandConfirmation(json: value)
      {
        return QueuedConfirmation(id: id, confirmation: confirmation)
      }
      // Written by another version: nobody can read it.
      try settleConfirmation(id, refusal: "unreadableConfirmation")
    }
  }

  private func oldestConfirmation() throws(DeviceStoreError) -> (Int64?, String) {
    let statement = try database.prepare("SELECT id, body FROM confirmations ORDER BY id LIMIT 1")
    guard try statement.step() else { return (nil, "") }
    return (statement.integer(0), statement.text(1))
  }

  func settleConfirmation(_ id: Int64, refusal: String?) throws(DeviceStoreError) {
    try write { () throws(DeviceStoreError) in
      try database.execute("DELETE FROM confirmations WHERE id = \(id)")
      if let refusal { try add(1, to: refusal) }
    }
  }

  // MARK: Counting and writing

  func count(dropped reason: String, by number: Int) {
    drops[reason, default: 0] += number
    // A crowd can lose thousands a second: what comes sooner is written with what comes next.
    let now = ContinuousClock.now
    if let lastCount, now - lastCount < .seconds(1) { return }
    lastCount = now
    writeLeftOver()
  }

  /// Writes what waits to be written, if that is possible.
  private func writeLeftOver() {
    guard !drops.isEmpty || !settlement.isEmpty else { return }
    try? write { () throws(DeviceStoreError) in }
  }

  /// Does `body` and whatever was left over, in one transaction. A full disk may have room for a
  /// removal once the log starts anew.
  private func write(
    _ body: () throws(DeviceStoreError) -> Void
  ) throws(DeviceStoreError) {
    do throws(DeviceStoreError) {
      try writeOnce(body)
    } catch {
      guard error.kind == .full else { throw error }
      try? database.execute("PRAGMA wal_checkpoint(RESTART)")
      try writeOnce(body)
    }
  }

  private func writeOnce(
    _ body: () throws(DeviceStoreError) -> Void
  ) throws(DeviceStoreError) {
    let (removed, aside) = try database.transaction {
      () throws(DeviceStoreError) -> (Int, Int) in
      let changes = try writeSettlement()
      for (reason, number) in drops { try add(number, to: reason) }
      try body()
      return changes
    }
    waitingCount -= removed
    asideCount += aside
    settlement = UploadSettlement()
    drops = [:]
  }

  /// - Returns: how many events have gone, and how many of them are set aside now.
  private func writeSettlement() throws(DeviceStoreError) -> (Int, Int) {
    var removed = 0
    var aside = 0
    if !settlement.stored.isEmpty || !settlement.refused.isEmpty {
      let move = try database.prepare(
        """
        REPLACE INTO aside SELECT id, heid, location, esf, day, time, ?2 FROM events WHERE id = ?1
        """)
      for (id, code) in settlement.refused {
        move.bind(1, id)
        move.bind(2, code)
        try move.run()
        aside += database.changes
      }
      let delete = try database.prepare("DELETE FROM events WHERE id = ?1")
      for id in settlement.stored + settlement.refused.keys {
        delete.bind(1, id)
        try delete.run()
        removed += database.changes
      }
    }
    if !settlement.postponed.isEmpty {
      let statement = try database.prepare(
        "UPDATE events SET attempts = attempts + 1 WHERE id = ?1")
      for id in settlement.postponed {
        statement.bind(1, id)
        try statement.run()
      }
    }
    return (removed, aside)
  }

  private func add(_ number: Int, to reason: String) throws(DeviceStoreError) {
    let statement = try database.prepare(
      """
      INSERT INTO dropped VALUES(?1, ?2) ON CONFLICT(reason) DO UPDATE SET count = count + ?2
      """)
    statement.bind(1, reason)
    statement.bind(2, Int64(number))
    try statement.run()
  }

  // MARK: Telling

  func status(at now: Timestamp) throws(DeviceStoreError) -> QueueStatus {
    writeLeftOver()
    var status = try QueueConnection.status(of: database, at: now)
    status.waiting = waiting
    status.limit = limit
    for (reason, number) in drops { status.dropped[reason, default: 0] += number }
    return status
  }

  /// What the tables tell, also to another process.
  static func status(
    of database: borrowing Database, at now: Timestamp
  ) throws(DeviceStoreError) -> QueueStatus {
    var status = QueueStatus()
    status.waiting = Int(clamping: try database.integer("SELECT count(*) FROM events"))
    if status.waiting > 0 {
      status.oldest = Timestamp(
        microseconds: try database.integer("SELECT min(time) FROM events"))
    }
    status.limit = Int(clamping: try database.integer("SELECT event_limit FROM settings"))
    status.confirmations = Int(
      clamping: try database.integer("SELECT count(*) FROM confirmations"))
    let codes = try database.prepare("SELECT code, count(*) FROM aside GROUP BY code")
    while try codes.step() { status.setAside[codes.text(0)] = Int(clamping: codes.integer(1)) }
    let reasons = try database.prepare("SELECT reason, count FROM dropped")
    while try reasons.step() {
      status.dropped[reasons.text(0)] = Int(clamping: reasons.integer(1))
    }
    let present = now.unixMilliseconds / 3_600_000
    let statement = try database.prepare(
      "SELECT min(hour), sum(count) FROM hours WHERE hour > ?1 AND hour <= ?2")
    statement.bind(1, present - hours)
    statement.bind(2, present)
    if try statement.step(), let first = statement.optionalInteger(0) {
      let span = Double(now.unixMilliseconds) / 3_600_000 - Double(first)
      status.eventsPerHour = Double(statement.integer(1)) / max(1, span)
    }
    return status
  }
}
