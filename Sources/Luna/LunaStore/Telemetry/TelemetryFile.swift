import Bluetooth
import LunaCore
import LunaJSON
import LunaWire
import SQLite

/// The database of a telemetry queue, open: its statements.
struct TelemetryFile: ~Copyable {
  let database: Database
  let limits: TelemetryLimits

  /// Opens the file, and makes it where there is none.
  init(
    directory: StateDirectory, fileName: String, limits: TelemetryLimits, patience: Duration
  ) throws(DeviceStoreError) {
    let place = try directory.place(of: fileName)
    try place.checkLog()
    try StateDirectory.secure(place)
    let database = try Database(at: place, patience: patience, watch: LogWatch(place))
    // What is no database of ours is recognised before anything is written.
    _ = try Migration.telemetry.check(database)
    try database.execute(
      """
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512;
      PRAGMA wal_autocheckpoint = 256;
      """)
    try Migration.telemetry.run(on: database)
    // A log that is taken away before anything is added is noticed as well.
    try database.checkPlace()
    self.database = database
    self.limits = limits
  }

  /// Puts a file that cannot be read any more beside the place of a new one. Of several processes that find it
  /// damaged the first does so, and what comes in its place is left alone.
  ///
  /// - Returns: where it is now; nil when there is nothing wrong with the file that is there.
  static func setAsideIfDamaged(_ place: DatabasePlace) throws(DeviceStoreError) -> String? {
    try place.alone { () throws(DeviceStoreError) -> String? in
      try isDamaged(place) ? place.setAside(as: "damaged") : nil
    }
  }

  private static func isDamaged(_ place: DatabasePlace) -> Bool {
    do throws(DeviceStoreError) {
      try place.checkLog()
      let database = try Database(at: place, patience: .seconds(10))
      database.keepLog(true)
      _ = try Migration.telemetry.check(database)
      return try database.damage() != nil
    } catch {
      return error.kind == .damaged
    }
  }

  func add(
    _ records: [TelemetryRecord], within window: Duration
  ) throws(DeviceStoreError) {
    var generator = SystemRandomNumberGenerator()
    // Of the ones that fit, the latest: of something that happened in this window of time.
    let merge = try database.prepare(
      """
      UPDATE items SET count = count + ?1 WHERE number = (
        SELECT number FROM items WHERE sent = 0 AND key = ?2 AND time > ?3 AND time <= ?4
          AND value = ?5 AND boot IS ?6 ORDER BY time DESC LIMIT 1)
      """)
    let insert = try database.prepare(
      """
      INSERT INTO items(id, kind, time, boot, key, value, count) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """)
    for record in records {
      let (time, boot) = record.time.columns
      let (kind, key, value) = TelemetryFile.columns(record.content)
      if kind != .sample {
        merge.bind(1, record.count)
        merge.bind(2, key)
        merge.bind(3, time - window.wholeMicroseconds)
        merge.bind(4, time)
        merge.bind(5, value)
        if let boot { merge.bind(6, boot) } else { merge.bind(6, nil) }
        try merge.run()
        if database.changes > 0 { continue }
      }
      insert.bind(1, TelemetryID(using: &generator).bytes.span)
      insert.bind(2, kind.rawValue)
      insert.bind(3, time)
      if let boot { insert.bind(4, boot) } else { insert.bind(4, nil) }
      insert.bind(5, key)
      insert.bind(6, value)
      insert.bind(7, record.count)
      try insert.run()
    }
  }

  private enum Kind: Int64 {
    case appearance, item, sample
  }

  private static func columns(_ content: TelemetryRecord.Content) -> (Kind, String, String) {
    switch content {
    case .item(let key, let value):
      let isAppearance = key.hasSuffix(".appear") || key.hasSuffix(".disappear")
      return (isAppearance ? .appearance : .item, key, value)
    case .sample(let health): return (.sample, "", health.json.description)
    }
  }

  /// Drops what there is no room for.
  func makeRoom(at now: Timestamp) throws(DeviceStoreError) {
    while true {
      let totals = try database.prepare("SELECT count, bytes FROM totals")
      guard try totals.step() else { return }
      let (count, bytes) = (Int(totals.integer(0)), Int(totals.integer(1)))
      guard count > limits.items || bytes > limits.bytes else { return }
      // Of what is too many in bytes a few at a time: they have different lengths.
      let excess = max(count - limits.items, bytes > limits.bytes ? 16 : 0)
      var gone = try drop("kind = 0 AND sent = 0", excess)
      if gone < excess { gone += try drop("sent = 0", excess - gone) }
      guard gone > 0 else { return }
      try self.count(TelemetryLoss.full, gone, at: now)
    }
  }

  private func drop(_ which: StaticString, _ number: Int) throws(DeviceStoreError) -> Int {
    try database.execute(
      """
      DELETE FROM items WHERE number IN (
        SELECT number FROM items WHERE \(which) ORDER BY number LIMIT \(number))
      """)
    return database.changes
  }

  func count(_ reason: String, _ number: Int, at now: Timestamp) throws(DeviceStoreError) {
    guard number > 0 else { return }
    let statement = try database.prepare(
      """
      INSERT INTO lost VALUES(?1, ?2, ?3, ?3) ON CONFLICT(reason) DO UPDATE SET
      count = count + excluded.count, since = coalesce(since, excluded.since), last = excluded.last
      """)
    statement.bind(1, reason)
    statement.bind(2, Int64(number))
    statement.bind(3, now.microseconds)
    try statement.run()
  }

  /// Gives a time to what has none yet, and the present to what would come from the future, since the
  /// clock was wrong then. What was sent keeps its own.
  func date(by clocks: TelemetryClocks) throws(DeviceStoreError) {
    let now = clocks.now()
    guard LocationRules.isPlausible(now) else { return }
    let statement = try database.prepare(
      """
      UPDATE items SET time = CASE WHEN boot = ?1 THEN ?2 - max(0, ?3 - time) ELSE ?2 END, boot = NULL
      WHERE boot IS NOT NULL
      """)
    statement.bind(1, clocks.boot())
    statement.bind(2, now.microseconds)
    statement.bind(3, clocks.sinceBoot().wholeMicroseconds)
    try statement.run()
    let future = try database.prepare(
      "UPDATE items SET time = ?1 WHERE time > ?2 AND sent = 0")
    future.bind(1, now.microseconds)
    future.bind(2, now.microseconds + TelemetryFile.tolerance)
    try future.run()
  }

  /// A clock may be that far behind the one by which something was dated.
  private static let tolerance: Int64 = 60_000_000

  func next(_ limit: Int, at now: Timestamp) throws(DeviceStoreError) -> [QueuedTelemetry] {
    var found: [QueuedTelemetry] = []
    // Written by another version: nobody can read it.
    var unreadable: [Int64] = []
    for isSent in [1, 0] where found.count < limit {
      let statement = try database.prepare(
        """
        SELECT number, id, kind, time, key, value, count FROM items
        WHERE sent = \(isSent) AND boot IS NULL ORDER BY number LIMIT ?1
        """)
      statement.bind(1, Int64(limit - found.count))
      while try statement.step() {
        if let entry = TelemetryFile.entry(statement) {
          found.append(entry)
        } else {
          unreadable.append(statement.integer(0))
        }
      }
    }
    let mark = try database.prepare("UPDATE items SET sent = 1 WHERE number = ?1 AND sent = 0")
    for entry in found {
      mark.bind(1, entry.id)
      try mark.run()
    }
    for number in unreadable {
      try database.execute("DELETE FROM items WHERE number = \(number)")
    }
    try count(TelemetryLoss.storage, unreadable.count, at: now)
    return found
  }

  private static func entry(_ row: borrowing Statement) -> QueuedTelemetry? {
    let time = Timestamp(microseconds: row.integer(3))
    if row.integer(2) == Kind.sample.rawValue {
      guard let json = try? JSONReader.read(Array(row.text(5).utf8)),
        let health = try? HealthReport(json: json)
      else { return nil }
      return QueuedTelemetry(
        id: row.integer(0), .sample(HealthSample(time: time, health: health)))
    }
    guard let id = TelemetryID(row.bytes(1)) else { return nil }
    return QueuedTelemetry(
      id: row.integer(0),
      .item(
        TelemetryItem(
          id: id, time: time, key: row.text(4), value: row.text(5), count: row.integer(6))))
  }

  func settle(_ settlement: TelemetrySettlement, at now: Timestamp) throws(DeviceStoreError) {
    if !settlement.refused.isEmpty {
      let move = try database.prepare(
        """
        REPLACE INTO aside SELECT number, time, key, value, count, ?2 FROM items WHERE number = ?1
        """)
      for (number, code) in settlement.refused {
        move.bind(1, number)
        move.bind(2, code)
        try move.run()
      }
      try database.execute(
        """
        DELETE FROM aside WHERE number NOT IN (
          SELECT number FROM aside ORDER BY number DESC LIMIT \(limits.aside))
        """)
      try count(TelemetryLoss.rejected, database.changes, at: now)
    }
    let delete = try database.prepare("DELETE FROM items WHERE number = ?1")
    for number in settlement.stored + settlement.refused.keys {
      delete.bind(1, number)
      try delete.run()
    }
  }

  /// Notes how an attempt to send ended.
  func note(_ problem: String?, at now: Timestamp) throws(DeviceStoreError) {
    let statement = try database.prepare(
      problem == nil
        ? "UPDATE notes SET sent = ?1, problem = NULL" : "UPDATE notes SET problem = ?1")
    if let problem { statement.bind(1, problem) } else { statement.bind(1, now.microseconds) }
    try statement.run()
  }

  func prune(before time: Timestamp, at now: Timestamp) throws(DeviceStoreError) {
    try database.execute(
      "DELETE FROM items WHERE time < \(time.microseconds) AND boot IS NULL")
    try count(TelemetryLoss.expired, database.changes, at: now)
    try database.execute("DELETE FROM aside WHERE time < \(time.microseconds)")
  }

  func clear(as reason: String?, at now: Timestamp) throws(DeviceStoreError) -> Int {
    try database.execute("DELETE FROM items")
    let gone = database.changes
    if let reason {
      try count(reason, gone, at: now)
    } else {
      try database.execute("DELETE FROM aside; DELETE FROM lost")
    }
    return gone
  }

  /// Gives room back to the file system, a piece at a time.
  func shrink() {
    guard let free = try? database.integer("PRAGMA freelist_count"), free > 64 else { return }
    try? database.execute("PRAGMA incremental_vacuum(512)")
  }

  /// What the tables tell, also to another process.
  static func status(
    of database: borrowing Database
  ) throws(DeviceStoreError) -> TelemetryQueueStatus {
    var status = TelemetryQueueStatus()
    let totals = try database.prepare("SELECT count, bytes FROM totals")
    if try totals.step() {
      status.waiting = Int(clamping: totals.integer(0))
      status.bytes = Int(clamping: totals.integer(1))
    }
    let oldest = try database.prepare("SELECT min(time) FROM items WHERE boot IS NULL")
    if try oldest.step(), let time = oldest.optionalInteger(0) {
      status.oldest = Timestamp(microseconds: time)
    }
    let codes = try database.prepare("SELECT code, count(*) FROM aside GROUP BY code")
    while try codes.step() { status.setAside[codes.text(0)] = Int(clamping: codes.integer(1)) }
    let reasons = try database.prepare("SELECT reason, count, since, last FROM lost")
    while try reasons.step() {
      status.losses[reasons.text(0)] = LossCount(
        Int(clamping: reasons.integer(1)),
        since: reasons.optionalInteger(2).map { Timestamp(microseconds: $0) },
        last: reasons.optionalInteger(3).map { Timestamp(microseconds: $0) })
    }
    let notes = try database.prepare("SELECT sent, problem FROM notes")
    if try notes.step() {
      status.sentAt = notes.optionalInteger(0).map { Timestamp(microseconds: $0) }
      status.problem = notes.isNull(1) ? nil : notes.text(1)
    }
    return status
  }
}

extension TelemetryTime {
  /// The columns `time` and `boot`.
  fileprivate var columns: (time: Int64, boot: String?) {
    switch self {
    case .known(let time): (time.microseconds, nil)
    case .sinceBoot(let time, let boot): (time.wholeMicroseconds, boot)
    }
  }
}
