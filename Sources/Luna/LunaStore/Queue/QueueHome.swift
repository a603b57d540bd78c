import Glibc
import LunaCore
import SQLite

/// Where a queue lives: its directory, its lock, and how it gets a new file when its own is gone.
struct QueueHome: ~Copyable {
  let directory: StateDirectory
  let fileName: String
  let limit: Int
  /// Where the file is, behind links: everything that belongs to it lies beside it.
  private let place: DatabasePlace
  private var lock: ExclusiveLock?
  /// How many events wait as it is noted beside the file: never more than there are.
  private var noted = 0

  var path: String { place.path }
  /// Where everything is kept on the way from a file that is gone to a new one; whole when it is there.
  private var rescued: String { path + ".rescued" }
  private var unfinished: String { path + ".rescuing" }

  /// Takes a place, and keeps others out of it.
  init(
    directory: StateDirectory, fileName: String, limit: Int
  ) throws(DeviceStoreError) {
    let place = try directory.place(of: fileName)
    lock = try QueueHome.lock(place)
    self.directory = directory
    self.fileName = fileName
    self.limit = limit
    self.place = place
    // What a killed process was in the middle of.
    clearUnfinished()
  }

  /// How many events the last run has left, at least; nil when nobody knows.
  mutating func countLeft() -> Int? {
    guard let text = lock?.noted, let count = QueueCount(text), count.counts(in: BootID.text)
    else { return nil }
    return count.waiting
  }

  /// Notes how many events wait, beside the file.
  mutating func note(_ waiting: Int, isLast: Bool = false) {
    noted = waiting
    let count = QueueCount(waiting: waiting, boot: isLast ? nil : BootID.text)
    lock?.note(count.text, isLast: isLast)
  }

  /// Notes how many events wait after a commit: who is killed before has noted too few, not too many.
  mutating func note(changed waiting: Int) {
    if waiting != noted { note(waiting) }
  }

  /// Notes fewer events, before a commit that removes some.
  mutating func note(atMost waiting: Int) {
    if waiting < noted { note(max(0, waiting)) }
  }

  /// Whether there is a file, or one that was rescued.
  var isThere: Bool { access(path, F_OK) == 0 || access(rescued, F_OK) == 0 }

  private mutating func takePlace() throws(DeviceStoreError) {
    try directory.create(for: fileName)
    if lock?.isInPlace(path + ".lock") == true { return }
    // Who has taken the place meanwhile keeps it.
    lock = try QueueHome.lock(place)
  }

  private static func lock(_ place: DatabasePlace) throws(DeviceStoreError) -> ExclusiveLock {
    try ExclusiveLock(path: place.path + ".lock", what: "another finder")
  }

  /// Lets others have the place.
  mutating func leave() { lock = nil }

  /// Copies all that can still be read of a file that is gone, or damaged.
  ///
  /// - Throws: whatever may be over when it is tried again.
  mutating func rescue(_ database: borrowing Database) throws(DeviceStoreError) {
    try takePlace()
    clearUnfinished()
    do throws(DeviceStoreError) {
      do throws(DeviceStoreError) {
        try database.copy(to: unfinished)
        _ = chmod(unfinished, 0o600)
        try QueueFile.checkContents(unfinished)
      } catch {
        guard error.kind == .damaged else { throw error }
        clearUnfinished()
        try QueueHome.make(unfinished, limit)
        try QueueSalvage.take(from: database, into: unfinished)
      }
      try place.move(unfinished, to: rescued)
    } catch {
      clearUnfinished()
      throw error
    }
  }

  private func clearUnfinished() {
    for end in ["", "-wal", "-shm", "-journal"] { unlink(unfinished + end) }
  }

  /// Makes a queue without events, and lets go of it.
  private static func make(_ path: String, _ limit: Int) throws(DeviceStoreError) {
    _ = try QueueFile(at: Database.place(of: path), limit: limit)
  }

  /// Copies all that can be read of the file that the last run has left, which nobody has open.
  mutating func rescueWhatIsLeft() throws(DeviceStoreError) {
    var status = stat()
    // Of a file that was emptied SQLite would delete the log; it is put aside with it.
    if stat(path, &status) == 0, status.st_size == 0 { return }
    let database = try Database(at: place, patience: .seconds(10))
    database.keepLog(true)
    try rescue(database)
  }

  /// What is wrong with the log that the last run has left.
  func checkWhatIsLeft() throws(DeviceStoreError) {
    guard let damage = LogWatch.damageLeft(at: place) else { return }
    throw .damaged(path, damage)
  }

  /// Opens the file, or makes it: of what was rescued, if anything was, which outlives the process.
  ///
  /// - Parameter fate: what has become of a file at the path; nil when it is to be used.
  /// - Returns: the file, and where that was put which was found in its place.
  mutating func open(_ fate: Fate? = nil) throws(DeviceStoreError) -> (QueueFile, String?) {
    try takePlace()
    let hasRescued = access(rescued, F_OK) == 0
    var setAside: String?
    if fate != nil || hasRescued {
      if access(path, F_OK) == 0 {
        setAside = try place.setAside(as: (fate ?? .replaced).rawValue)
      }
      // A log belongs to its file, and would be taken for that of the new one.
      for companion in ["-wal", "-shm"] { unlink(path + companion) }
    }
    if hasRescued { try place.move(rescued, to: path) }
    return (
      try QueueFile(at: place, limit: limit), setAside
    )
  }

  /// Why a file at the path is not used.
  enum Fate: String {
    /// It is another one, which came in the place of the queue.
    case replaced
    /// It is the queue, and cannot be read any more.
    case damaged
  }
}
