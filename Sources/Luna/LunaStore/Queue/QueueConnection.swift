import Bluetooth
import Diagnosis
import EventLoop
import LunaCore
import SQLite

/// The one user of the database of a queue: opens it, and does one thing after the other.
actor QueueConnection {
  var home: QueueHome
  /// Nil while the file is gone and no other could be made, and once the queue is closed.
  var file: QueueFile?
  let limit: Int
  private let blocking = Blocking(name: "luna.queue")
  var isClosed = false
  /// How many rows are in the tables; nobody else changes them.
  var waitingCount = 0
  var doubtfulCount = 0
  var asideCount = 0
  var losses = QueueLosses()
  var settlement = UploadSettlement()
  var crowd: CrowdStatus??
  /// Whether events have gone, and the room that they took may be given back.
  private var mayShrink = true
  /// What has to be told.
  var notices: [QueueNotice] = []
  /// The trouble that was told; told once until it is over.
  var trouble: DeviceStoreError?
  /// Why a new file is being made, and how many events waited in the old one.
  var loss: (reason: String, waiting: Int)?
  var fate: QueueHome.Fate? = .replaced
  /// How often the events of the old one could not be read for a reason that may be over one day.
  var failedRescues = 0
  /// What the transaction that is under way has settled already.
  var settling = Changes()

  nonisolated var unownedExecutor: UnownedSerialExecutor { blocking.asUnownedSerialExecutor() }

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
  func opened() throws(DeviceStoreError) -> QueueFile {
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
  func writeLeftOver() {
    guard !losses.isEmpty || !settlement.isEmpty || crowd != nil else { return }
    try? write { (_: borrowing Database) throws(DeviceStoreError) in }
  }

  typealias Body = (borrowing Database) throws(DeviceStoreError) -> Void

  /// Does `body` and whatever was left over, in one transaction. A full disk may have room for a
  /// removal once the log starts anew; a file that is gone is replaced by another.
  func write(_ body: Body) throws(DeviceStoreError) {
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
  struct Changes {
    var removed = 0
    var doubtful = 0
    var aside = 0
  }
}
