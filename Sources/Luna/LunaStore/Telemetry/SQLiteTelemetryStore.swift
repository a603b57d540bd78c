import Bluetooth
import Diagnosis
import EventLoop
import Glibc
public import LunaCore
import SQLite

/// Keeps telemetry in a SQLite database (WAL, synchronous = FULL) to which any number of processes add, and
/// from which one at a time sends.
///
/// The file is opened when something is added. A file that is deleted or replaced meanwhile is made anew:
/// what it held is what somebody wanted to be rid of. One that is damaged is put aside, and what waited in it
/// is counted as lost.
public actor SQLiteTelemetryStore: TelemetryStore {
  /// The name of the file.
  public static let fileName = "telemetry.data"

  /// The path of its file.
  public nonisolated let path: String
  private let directory: StateDirectory
  private let limits: TelemetryLimits
  private let clocks: TelemetryClocks
  private let patience: Duration
  /// The file is a value without copies, and a class holds it.
  private var file: Holder?
  private var turn: WaitingLock?
  private let blocking = Blocking(name: "luna.telemetry")

  private final class Holder {
    let file: TelemetryFile

    init(_ file: consuming TelemetryFile) { self.file = file }
  }

  /// Waiting for the disk keeps nobody else's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    blocking.asUnownedSerialExecutor()
  }

  /// A queue in a directory; nothing is made or opened yet.
  public init(in directory: StateDirectory) {
    self.init(in: directory, limits: TelemetryLimits(), clocks: .system)
  }

  /// - Parameter patience: how long a call waits for other processes, whole seconds.
  package init(
    in directory: StateDirectory, limits: TelemetryLimits = TelemetryLimits(),
    clocks: TelemetryClocks, patience: Duration = .seconds(10)
  ) {
    self.directory = directory
    self.limits = limits
    self.clocks = clocks
    self.patience = patience
    path = "\(directory.path)/\(SQLiteTelemetryStore.fileName)"
  }

  /// What a queue holds, whoever uses it at present; nil when there is none. Nothing is changed.
  public static func status(
    in directory: StateDirectory
  ) throws(DeviceStoreError) -> TelemetryQueueStatus? {
    let path = "\(directory.path)/\(fileName)"
    guard try directory.holds(fileName) else { return nil }
    let place: DatabasePlace = try Database.place(of: path)
    try place.checkLog()
    let database = try Database(at: place, patience: .seconds(10))
    database.keepLog(true)
    guard try Migration.telemetry.check(database) > 0 else { return nil }
    return try TelemetryFile.status(of: database)
  }

  /// Whether there is a queue: nothing makes one but adding to it.
  private var isThere: Bool { file != nil || access(path, F_OK) == 0 }

  private func opened() throws(DeviceStoreError) -> Holder {
    if let file { return file }
    let new = Holder(
      try TelemetryFile(
        directory: directory, fileName: SQLiteTelemetryStore.fileName, limits: limits,
        patience: patience))
    file = new
    return new
  }

  /// Does `body` in one transaction. A full disk may have room for a removal once the log starts anew; a
  /// file that is gone, or damaged, is replaced by another.
  private func write<Result>(
    _ body: (borrowing TelemetryFile) throws(DeviceStoreError) -> Result
  ) throws(DeviceStoreError) -> Result {
    do throws(DeviceStoreError) {
      return try writeOnce(body)
    } catch {
      switch error.kind {
      case .full: try? opened().file.database.execute("PRAGMA wal_checkpoint(RESTART)")
      case .gone: file = nil
      case .damaged: try replaceDamaged(error)
      default: throw error
      }
      return try writeOnce(body)
    }
  }

  private func replaceDamaged(_ damage: DeviceStoreError) throws(DeviceStoreError) {
    // What is in memory, or is not where the damage is, may still be read.
    let waiting = file.flatMap { try? $0.file.database.integer("SELECT count FROM totals") }
    file = nil
    let place = try directory.place(of: SQLiteTelemetryStore.fileName)
    guard let other = try TelemetryFile.setAsideIfDamaged(place) else { return }
    let now = clocks.now()
    try writeOnce { (file: borrowing TelemetryFile) throws(DeviceStoreError) in
      try file.count(TelemetryLoss.storage, Int(clamping: waiting ?? 0), at: now)
      try file.note("\(damage.reason); the file is \(other) now", at: now)
    }
  }

  private func writeOnce<Result>(
    _ body: (borrowing TelemetryFile) throws(DeviceStoreError) -> Result
  ) throws(DeviceStoreError) -> Result {
    let holder = try opened()
    return try holder.file.database.transaction { () throws(DeviceStoreError) in
      try body(holder.file)
    }
  }

  /// Adds records.
  public func append(
    _ records: [TelemetryRecord], within window: Duration
  ) throws(DeviceStoreError) {
    guard !records.isEmpty else { return }
    try write { (file: borrowing TelemetryFile) throws(DeviceStoreError) in
      try file.add(records, within: window)
      try file.makeRoom(at: clocks.now())
    }
  }

  /// Counts what was lost.
  public func count(lost reason: String, by number: Int) throws(DeviceStoreError) {
    try write { (file: borrowing TelemetryFile) throws(DeviceStoreError) in
      try file.count(reason, number, at: clocks.now())
    }
  }

  /// What is to be sent next; nothing while the clock shows no time that can be.
  public func next(_ limit: Int) throws(DeviceStoreError) -> [QueuedTelemetry] {
    guard isThere, LocationRules.isPlausible(clocks.now()) else { return [] }
    return try write { (file: borrowing TelemetryFile) throws(DeviceStoreError) in
      try file.date(by: clocks)
      return try file.next(limit, at: clocks.now())
    }
  }

  /// Takes note of what became of what was sent.
  public func settle(_ settlement: TelemetrySettlement) throws(DeviceStoreError) {
    try write { (file: borrowing TelemetryFile) throws(DeviceStoreError) in
      try file.settle(settlement, at: clocks.now())
    }
    file?.file.shrink()
  }

  /// Notes how an attempt to send ended.
  public func note(_ problem: String?) throws(DeviceStoreError) {
    guard isThere else { return }
    try write { (file: borrowing TelemetryFile) throws(DeviceStoreError) in
      try file.note(problem, at: clocks.now())
    }
  }

  /// Waits until no other process sends.
  ///
  /// - Returns: whether it is this one's turn; false when `patience` was over before.
  public func beginTurn(within patience: Duration) async throws(DeviceStoreError) -> Bool {
    // Without a queue there is nothing that could be sent twice.
    guard isThere, turn == nil else { return true }
    // Behind links: whoever names the file otherwise waits, too.
    let place = try directory.place(of: SQLiteTelemetryStore.fileName)
    turn = try await WaitingLock.take(place.path + ".lock", within: patience) {
      try await Task.sleep(for: $0)
    }
    return turn != nil
  }

  /// Ends what ``beginTurn(within:)`` began: other processes may send.
  public func endTurn() { turn = nil }

  /// Drops what is older. While the clock shows no time that can be, nothing is.
  public func prune(olderThan age: Duration) throws(DeviceStoreError) {
    let now = clocks.now()
    guard isThere, LocationRules.isPlausible(now) else { return }
    try write { (file: borrowing TelemetryFile) throws(DeviceStoreError) in
      try file.date(by: clocks)
      try file.prune(
        before: Timestamp(microseconds: now.microseconds - age.wholeMicroseconds), at: now)
    }
  }

  /// Drops everything that waits.
  public func clear(as reason: String?) throws(DeviceStoreError) -> Int {
    guard isThere else { return 0 }
    return try write { (file: borrowing TelemetryFile) throws(DeviceStoreError) in
      try file.clear(as: reason, at: clocks.now())
    }
  }

  /// What there is to tell.
  public func status() throws(DeviceStoreError) -> TelemetryQueueStatus {
    guard isThere else { return TelemetryQueueStatus() }
    // What waits is there all the same where nothing can be written, as on a full disk.
    guard let holder = try? opened() else {
      return try SQLiteTelemetryStore.status(in: directory) ?? TelemetryQueueStatus()
    }
    return try TelemetryFile.status(of: holder.file.database)
  }
}
