import Bluetooth
import LunaCore
import LunaJSON
import LunaProtocol
import SQLite

/// Events: how they come, whose turn it is, and how they go.
extension QueueConnection {
  func append(
    _ events: [TrackerEvent], at time: Timestamp, isDoubtful: Bool
  ) throws(DeviceStoreError) {
    guard !events.isEmpty else { return }
    losses.date(time)
    var room = Room()
    do throws(DeviceStoreError) {
      try write { (database: borrowing Database) throws(DeviceStoreError) in
        room = try makeRoom(for: events.count, isDoubtful, at: time, in: database)
        let statement = try database.prepare(
          """
          INSERT INTO events(heid, location, esf, day, time, debug, doubtful)
          VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
          """)
        for event in events.suffix(room.count) {
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
          statement.bind(7, isDoubtful ? 1 : 0)
          try statement.run()
        }
        try countHour(time, events.count, in: database)
        let gone = settling.removed + room.doubtful + room.waiting
        home.note(atMost: waitingCount + room.count - gone)
      }
    } catch {
      losses.count(events.count, DropReason.storage, at: time)
      throw error
    }
    waitingCount += room.count - room.doubtful - room.waiting
    doubtfulCount += (isDoubtful ? room.count : 0) - room.doubtful
    asideCount -= room.aside
    home.note(changed: waitingCount)
    let gone = room.excess(of: events.count)
    if gone > 0 { notices.append(.full(gone)) }
  }

  /// What had to go for new events, and how many of those fit.
  private struct Room {
    var aside = 0
    var doubtful = 0
    /// Others that waited; of a queue that is full of old doubtful ones, those may be among them.
    var waiting = 0
    var count = 0

    func excess(of new: Int) -> Int { aside + doubtful + waiting + new - count }
  }

  /// Deletes what has to go so that as many more fit as may.
  private func makeRoom(
    for count: Int, _ isDoubtful: Bool, at time: Timestamp, in database: borrowing Database
  ) throws(DeviceStoreError) -> Room {
    var room = Room()
    room.count = min(count, limit)
    let (waiting, aside) = (waitingCount - settling.removed, asideCount + settling.aside)
    var excess = waiting + aside + room.count - limit
    if excess > 0 {
      room.aside = min(excess, aside)
      excess -= room.aside
      room.doubtful = min(excess, doubtfulCount - settling.doubtful)
      excess -= room.doubtful
      if isDoubtful {
        room.count -= excess
      } else {
        room.waiting = excess
      }
    }
    for (number, table) in [
      (room.aside, "aside ORDER BY id"), (room.doubtful, "events WHERE doubtful = 1 ORDER BY id"),
      (room.waiting, "events ORDER BY id"),
    ] where number > 0 {
      let name = table.prefix { $0 != " " }
      try database.execute(
        "DELETE FROM \(name) WHERE id IN (SELECT id FROM \(table) LIMIT \(number))")
    }
    let gone = room.excess(of: count)
    if gone > 0 {
      try QueueLosses.add(
        LossCount(gone, since: time, last: time), to: DropReason.queueFull, in: database)
    }
    return room
  }

  private func countHour(
    _ time: Timestamp, _ count: Int, in database: borrowing Database
  ) throws(DeviceStoreError) {
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
    return try reading { file throws(DeviceStoreError) in
      let statement = try file.database.prepare(
        "SELECT \(Self.columns) FROM events ORDER BY doubtful, attempts, id LIMIT ?1")
      statement.bind(1, Int64(max(0, limit) + settled.count))
      var events: [QueuedEvent] = []
      while events.count < limit, try statement.step() {
        guard !settled.contains(statement.integer(0)) else { continue }
        events.append(try read(statement))
      }
      return events
    }
  }

  func event(_ id: Int64) throws(DeviceStoreError) -> QueuedEvent? {
    guard !settlement.stored.contains(id), settlement.refused[id] == nil else { return nil }
    return try reading { file throws(DeviceStoreError) in
      let statement = try file.database.prepare(
        "SELECT \(Self.columns) FROM events WHERE id = ?1")
      statement.bind(1, id)
      return try statement.step() ? read(statement) : nil
    }
  }

  private static let columns = "id, heid, location, esf, day, time, debug"

  private func read(_ statement: borrowing Statement) throws(DeviceStoreError) -> QueuedEvent {
    let heid = statement.bytes(1)
    guard let heid = HEID(heid.span) else {
      throw .damaged(home.path, "an event has a heid of \(heid.count) bytes")
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
    return QueuedEvent(
      id: statement.integer(0), event: event,
      queuedAt: Timestamp(microseconds: statement.integer(5)))
  }

  func settle(_ settlement: UploadSettlement) throws(DeviceStoreError) {
    self.settlement.add(settlement)
    try write { (_: borrowing Database) throws(DeviceStoreError) in }
  }

  func writeSettlement(
    _ database: borrowing Database
  ) throws(DeviceStoreError) -> Changes {
    var changes = Changes()
    if !settlement.stored.isEmpty || !settlement.refused.isEmpty {
      let move = try database.prepare(
        """
        REPLACE INTO aside SELECT id, heid, location, esf, day, time, ?2 FROM events WHERE id = ?1
        """)
      for (id, code) in settlement.refused {
        move.bind(1, id)
        move.bind(2, code)
        try move.run()
        changes.aside += database.changes
      }
      let delete = try database.prepare("DELETE FROM events WHERE id = ?1 RETURNING doubtful")
      for id in settlement.stored + settlement.refused.keys {
        delete.bind(1, id)
        if try delete.step() {
          changes.removed += 1
          changes.doubtful += delete.integer(0) == 0 ? 0 : 1
        }
        delete.reset()
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
    return changes
  }
}
