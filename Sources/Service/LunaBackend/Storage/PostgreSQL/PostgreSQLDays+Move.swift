import EventLoop
import LunaCore
import Synchronization

/// Events of the version before are in a table of their own, `luna.events_old`, and are moved from there while
/// everything goes on (SCALE.md, 3.1). Nobody writes there any more. A day is copied, and leaves when all of it is in
/// both, and all sessions know of it in the new one: so who looks into the old table first, and then into the other one,
/// finds everything.
extension PostgreSQLDays {
  /// The number of the lock of the process that moves them: "LunM".
  private static let moveLock: Int64 = 0x4C75_6E4D
  /// How many events are copied at once: others want to have days made, too.
  private static let piece = 5000
  /// After which time it is tried again, or looked whether another process still does it, s.
  private static let movePause = 3
  /// How logs call it.
  private static let moving = "moveDays"

  private enum Progress {
    case more
    case others
    case done
  }

  /// The days of which events may still be in the old table.
  func old(_ connection: PostgreSQLConnection) throws(StorageError) -> Set<Day> {
    if let known = move.withLock({ $0.days }) { return known }
    let days = try connection.retrying { () throws(StorageError) -> Set<Day> in
      let tables = try PostgreSQLDays.tables(.old, connection)
      return Set(tables.filter { $0.value.state == .attached }.keys)
    }
    move.withLock { $0.days = days }
    return days
  }

  /// Moves what there is of a day and of later ones, while whoever asks for it goes on.
  func moveOld(since first: Day) {
    let isIdle = move.withLock { move in
      defer { move.isRunning = true }
      move.first = first
      return !move.isRunning
    }
    if isIdle { thread.start { [weak self] in self?.moveNext() } }
  }

  /// A piece at a time, so that others have their turn between two.
  private func moveNext() {
    let began = ContinuousClock.now
    var progress = Progress.others
    do throws(StorageError) {
      progress = try movePiece()
      outage.worked(PostgreSQLDays.moving)
    } catch {
      move.withLock { $0.isHolding = false }
      outage.failed(error, PostgreSQLDays.moving, since: began)
    }
    switch progress {
    case .more: thread.start { [weak self] in self?.moveNext() }
    case .others:
      thread.start(after: .seconds(PostgreSQLDays.movePause)) { [weak self] in self?.moveNext() }
    case .done: endMoving()
    }
  }

  private func endMoving() {
    let ended = move.withLock { move in
      defer { (move.isRunning, move.isHolding, move.position) = (false, false, nil) }
      return move
    }
    if ended.isHolding { letGo(PostgreSQLDays.moveLock) }
    if ended.position != nil {
      outage.notice("all events of the version before are in the new table", .info)
    }
  }

  private func movePiece() throws(StorageError) -> Progress {
    let tables = try connection.retrying { () throws(StorageError) -> [Day: Table] in
      try PostgreSQLDays.tables(.old, connection)
    }
    let first = move.withLock { move in
      move.days?.formIntersection(tables.keys)
      return move.first
    }
    // The newest first: soon uploads have nothing to look for there. A role that may not drop days leaves it to
    // another one.
    guard let first, let day = tables.keys.filter({ $0 >= first }).max(), try mayChange() else {
      return .done
    }
    if !move.withLock({ $0.isHolding }) {
      guard try take(PostgreSQLDays.moveLock) else { return .others }
      move.withLock { $0.isHolding = true }
    }
    // One that was cut off while it left keeps all others from leaving.
    for (day, table) in tables where table.state == .leaving {
      try inTurn { () throws(StorageError) in
        try connection.patiently(pauses) { () throws(StorageError) in
          try finishLeaving(day, of: .old)
        }
      }
    }
    try makeAll([day])
    if try copyPiece(of: day) { return .more }
    // Whoever looks into the new table without finding this day there has to find it in the old one.
    guard try remind(of: .current, turns: PostgreSQLDays.surely) else {
      throw StorageError(
        .unavailable, "somebody has been reading events for long: until then no day is moved")
    }
    try inTurn { () throws(StorageError) in
      // It may have been finished just now.
      if let table = try PostgreSQLDays.tables(.old, connection)[day] {
        try drop(day, table.state, of: .old)
      }
    }
    return .more
  }

  /// Copies some events of a day.
  ///
  /// - Returns: false when there are no more.
  private func copyPiece(of day: Day) throws(StorageError) -> Bool {
    let position = move.withLock { move in
      move.position.flatMap { $0.day == day ? $0 : nil }
    }
    // Whoever has copied before, and was cut off, may have copied some of them.
    let sql = """
      WITH piece AS MATERIALIZED (
        SELECT * FROM \(PostgreSQLEventTable.old.partition(day))
        WHERE (heid, day, event_id) > ($1, \(day.number), $2)
        ORDER BY heid, day, event_id LIMIT \(PostgreSQLDays.piece)),
      kept AS (
        INSERT INTO luna.events(received, day, esf, version, heid, event_id, location, debug)
        SELECT received, day, esf, version, encode(heid, 'hex')::uuid, encode(event_id, 'hex')::uuid,
          location, debug
        FROM piece ON CONFLICT DO NOTHING)
      SELECT heid, event_id FROM piece ORDER BY heid DESC, event_id DESC LIMIT 1
      """
    let parameters: [PostgreSQLValue] = [
      .bytes(position?.heid ?? []), .bytes(position?.id ?? []),
    ]
    let last = try connection.retrying { () throws(StorageError) -> PostgreSQLMove.Position? in
      let rows = try connection.run(sql, parameters)
      guard rows.count > 0 else { return nil }
      return PostgreSQLMove.Position(day: day, heid: rows.bytes(0, 0), id: rows.bytes(0, 1))
    }
    guard let last else {
      try connection.forget(sql)
      return false
    }
    move.withLock { $0.position = last }
    return true
  }
}
