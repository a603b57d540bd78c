import Bluetooth
import LunaCore
import SQLite

/// What there is to tell of a queue.
extension QueueConnection {
  /// How many hours count for what an hour brings, and how many are kept.
  static let hours: Int64 = 24

  func status(at now: Timestamp) throws(DeviceStoreError) -> QueueStatus {
    writeLeftOver()
    var status = try reading { file throws(DeviceStoreError) in
      try QueueConnection.status(of: file.database, at: now)
    }
    status.waiting = waiting
    status.homeless = trouble == nil ? 0 : waiting
    status.limit = limit
    losses.tell(in: &status)
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
    status.losses = try QueueLosses.read(from: database)
    let crowd = try database.prepare("SELECT rate, since, noted FROM crowd")
    if try crowd.step() {
      status.crowd = CrowdStatus(
        newPerMinute: Int(clamping: crowd.integer(0)),
        since: Timestamp(microseconds: crowd.integer(1)),
        notedAt: Timestamp(microseconds: crowd.integer(2)))
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

  func write(
    _ crowd: CrowdStatus?, to database: borrowing Database
  ) throws(DeviceStoreError) {
    guard let crowd else { return try database.execute("DELETE FROM crowd") }
    let statement = try database.prepare("REPLACE INTO crowd VALUES(1, ?1, ?2, ?3)")
    statement.bind(1, Int64(crowd.newPerMinute))
    statement.bind(2, crowd.since.microseconds)
    statement.bind(3, crowd.notedAt.microseconds)
    try statement.run()
  }
}
