import Bluetooth
import Diagnosis
import EventLoop
import LunaCore
import LunaJSON
import LunaProtocol
import LunaWire
import SQLite

/// The one user of the database of a queue: opens it, and does one thing after the other.
actor QueueConnection {
  private var home: QueueHome
  /// Nil while the file is gone and no other could be made, and once the queue is closed.
  private var file: QueueFile?
  private let limit: Int
  private let blocking = Blocking(name: "luna.queue")
  private var isClosed = false
  /// How many rows are in the tables; nobody else changes them.
  private var waitingCount = 0
  private var doubtfulCount = 0
  private var asideCount = 0
  private var losses = QueueLosses()
  private var settlement = UploadSettlement()
  private var crowd: CrowdStatus??
  /// Whether events have gone, and the room that they took may be given back.
  private var mayShrink = true
  /// What has to be told.
  private var notices: [QueueNotice] = []
  /// The trouble that was told; told once until it is over.
  private var trouble: DeviceStoreError?
  /// Why a new file is being made, and how many events waited in the old one.
  private var loss: (reason: String, waiting: Int)?
  private var fate: QueueHome.Fate? = .replaced
  /// How often the events of the old one could not be read for a reason that may be over one day.
  private var failedRescues = 0
  /// What the transaction that is under way has settled already.
  private var settling = Changes()

  nonisolated var unownedExecutor: UnownedSerialExecutor { blocking.asUnownedSerialExecutor() }

  /// How many hours count for what an hour brings, and how many are kept.
  private static let hours: Int64 = 24
  /// After so many calls of `tend(at:)` a file that cannot be read is given up.
  private static let rescues = 10

  init(
    directory: StateDirectory, fileName: String, limit: Int
  ) throws(DeviceStoreError) {
    let limit = max(1, limit)
    var home = try QueueHome(directory: directory, fileName: fileName, limit: limit)
    let (file, counts, notice) = try QueueConnection.begin(&home)
    self.home = home
    self.limit = limit
    self.file = file
    (waitingCount, doubtfulCount, asideCount) = (counts.waiting, counts.doubtful, counts.aside)
    if let notice { notices.append(notice) }
    if case .renewed(_, let lost?, _)? = notice, lost > 0 {
      losses.count(undated: lost, DropReason.storage)
    }
    self.home.note(counts.waiting)
  }

  /// Opens what the last run has left; of what cannot be read any more, takes what can.
  private static func begin(
    _ home: inout QueueHome
  ) throws(DeviceStoreError) -> (QueueFile, QueueFile.Counts, QueueNotice?) {
    let before = home.countLeft()
    do throws(DeviceStoreError) {
      try home.checkWhatIsLeft()
      let wasThere = home.isThere
      let (file, setAside) = try home.open()
      if !wasThere, let before, before > 0 {
        let reason = "\(home.path) was deleted or moved since the last run"
        return (file, try file.counts(), .renewed(reason: reason, lost: before, setAside: nil))
      }
      let reason = "the last run ended while the queue was being moved"
      return (
        file, try file.counts(),
        setAside.map { .renewed(reason: reason, lost: 0, setAside: $0) }
      )
    } catch {
      guard error.kind == .damaged else { throw error }
      try home.rescueWhatIsLeft()
      let (file, setAside) = try home.open(.damaged)
      let counts = try file.counts()
      let lost = before.map { max(0, $0 - counts.waiting) }
      return (file, counts, .renewed(reason: error.reason, lost: lost, setAside: setAside))
    }
  }

  /// How many events wait.
  var waiting: Int { max(0, waitingCount - settlement.stored.count - settlement.refused.count) }

  /// The file; tries to get one when there is none.
  private func opened() throws(DeviceStoreError) -> QueueFile {
    if let file { return file }
    guard !isClosed else { throw DeviceStoreError(.failed, "\(home.path) is closed") }
    return try reopen()
  }

  /// Lets go of the file and of the lock.
  func close() {
    writeLeftOver()
    home.note(waitingCount, isLast: true)
    isClosed = true
    file = nil
    home.leave()
  }

  /// Takes what the old file holds into a new one.
  private func renew(_ reason: DeviceStoreError) throws(DeviceStoreError) {
    do throws(DeviceStoreError) {
      if let file {
        if file.database.isDamagedInIndex {
          // The file and its log are whole, and are read anew.
          fate = nil
        } else {
          try rescue(file)
          fate = reason.kind == .damaged ? .damaged : .replaced
        }
        loss = (reason.reason, waitingCount)
      }
      // Two connections to files of one name would meet in the index of the log.
      file = nil
      _ = try reopen()
    } catch {
      if trouble != error { notices.append(.homeless(error)) }
      trouble = error
      throw error
    }
  }

  /// A disk that answers with an error today may answer tomorrow; the file stays open until then.
  private func rescue(_ file: QueueFile) throws(DeviceStoreError) {
    do throws(DeviceStoreError) {
      try home.rescue(file.database)
    } catch {
      guard error.kind == .failed, failedRescues >= QueueConnection.rescues else { throw error }
    }
  }

  private func reopen() throws(DeviceStoreError) -> QueueFile {
    let (new, setAside) = try home.open(fate)
    let counts = try new.counts()
    (waitingCount, doubtfulCount, asideCount) = (counts.waiting, counts.doubtful, counts.aside)
    file = new
    // The lock may be another one, too.
    home.note(waitingCount)
    trouble = nil
    failedRescues = 0
    if let loss {
      // What could be read may be less than there was, also where it contradicts itself nowhere.
      let lost = max(0, loss.waiting - waitingCount)
      notices.append(.renewed(reason: loss.reason, lost: lost, setAside: setAside))
      if lost > 0 { losses.count(undated: lost, DropReason.storage) }
    }
    loss = nil
    return new
  }

  /// Gets a new file when the present one is not in its place.
  private func checkPlace() {
    guard !isClosed else { return }
    do throws(DeviceStoreError) {
      try opened().database.checkPlace()
    } catch {
      try? renew(error)
    }
  }

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

  /// Reads; of a file that cannot be read any more, what could be taken into a new one.
  private func reading<Result>(
    _ body: (QueueFile) throws(DeviceStoreError) -> Result
  ) throws(DeviceStoreError) -> Result {
    do throws(DeviceStoreError) {
      return try body(try opened())
    } catch {
      guard error.kind == .damaged else { throw error }
      try renew(error)
    }
    return try body(try opened())
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

  func append(
    _ confirmation: CommandConfirmation, at time: Timestamp
  ) throws(DeviceStoreError) {
    try write { (database: borrowing Database) throws(DeviceStoreError) in
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
    try reading { file throws(DeviceStoreError) in
      let statement = try file.database.prepare(
        "SELECT id, body FROM confirmations ORDER BY id LIMIT 1")
      guard try statement.step() else { return (nil, "") }
      return (statement.integer(0), statement.text(1))
    }
  }

  func settleConfirmation(_ id: Int64, refusal: String?) throws(DeviceStoreError) {
    try write { (database: borrowing Database) throws(DeviceStoreError) in
      try database.execute("DELETE FROM confirmations WHERE id = \(id)")
      if let refusal { try QueueLosses.add(LossCount(1), to: refusal, in: database) }
    }
  }

  func count(dropped reason: String, by number: Int, at time: Timestamp) {
    losses.count(number, reason, at: time)
    if losses.isTurn() { writeLeftOver() }
  }

  func note(_ crowd: CrowdStatus?) {
    self.crowd = .some(crowd)
    writeLeftOver()
  }

  func tend(at time: Timestamp) -> [QueueNotice] {
    checkPlace()
    if trouble?.kind == .failed { failedRescues += 1 }
    losses.date(time)
    writeLeftOver()
    if mayShrink { mayShrink = file?.shrink() ?? false }
    defer { notices = [] }
    let full = notices.reduce(0) { if case .full(let count) = $1 { $0 + count } else { $0 } }
    let others = notices.filter { if case .full = $0 { false } else { true } }
    return (full > 0 ? [.full(full)] : []) + others
  }

  /// Writes what waits to be written, if that is possible.
  private func writeLeftOver() {
    guard !losses.isEmpty || !settlement.isEmpty || crowd != nil else { return }
    try? write { (_: borrowing Database) throws(DeviceStoreError) in }
  }

  private typealias Body = (borrowing Database) throws(DeviceStoreError) -> Void

  /// Does `body` and whatever was left over, in one transaction. A full disk may have room for a
  /// removal once the log starts anew; a file that is gone is replaced by another.
  private func write(_ body: Body) throws(DeviceStoreError) {
    do throws(DeviceStoreError) {
      try writeOnce(body)
    } catch {
      switch error.kind {
      case .full: try? opened().database.execute("PRAGMA wal_checkpoint(RESTART)")
      case .gone, .damaged: try renew(error)
      default: throw error
      }
      try writeOnce(body)
    }
    // What was written to a file that went at this moment is taken along.
    checkPlace()
  }

  private func writeOnce(_ body: Body) throws(DeviceStoreError) {
    let file = try opened()
    defer { settling = Changes() }
    let changes = try file.database.transaction(isLookedAfter: false) {
      () throws(DeviceStoreError) -> Changes in
      let changes = try writeSettlement(file.database)
      settling = changes
      home.note(atMost: waitingCount - changes.removed)
      try losses.write(to: file.database)
      if let crowd { try write(crowd, to: file.database) }
      try body(file.database)
      return changes
    }
    waitingCount -= changes.removed
    mayShrink = mayShrink || changes.removed > 0
    doubtfulCount -= changes.doubtful
    asideCount += changes.aside
    settlement = UploadSettlement()
    losses.written()
    crowd = nil
    home.note(changed: waitingCount)
  }

  /// How many events have gone, how many of them were doubtful, and how many are set aside now.
  private struct Changes {
    var removed = 0
    var doubtful = 0
    var aside = 0
  }

  private func write(
    _ crowd: CrowdStatus?, to database: borrowing Database
  ) throws(DeviceStoreError) {
    guard let crowd else { return try database.execute("DELETE FROM crowd") }
    let statement = try database.prepare("REPLACE INTO crowd VALUES(1, ?1, ?2, ?3)")
    statement.bind(1, Int64(crowd.newPerMinute))
    statement.bind(2, crowd.since.microseconds)
    statement.bind(3, crowd.notedAt.microseconds)
    try statement.run()
  }

  private func writeSettlement(
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
}
