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

  var path: String { place.path }
  /// Where everything is kept on the way from a file that is gone to a new one; whole when it is there.
  private var rescued: String { path + ".rescued" }

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
  }

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

  /// Copies all that can still be read of a file that is gone.
  ///
  /// - Returns: false when it cannot be read any more.
  /// - Throws: whatever may be over when it is tried again.
  mutating func rescue(_ file: QueueFile) throws(DeviceStoreError) -> Bool {
    try takePlace()
    let unfinished = path + ".rescuing"
    let clear = { for end in ["", "-wal", "-shm"] { unlink(unfinished + end) } }
    clear()
    do throws(DeviceStoreError) {
      try file.database.copy(to: unfinished)
      _ = chmod(unfinished, 0o600)
      try QueueFile.checkContents(unfinished)
      try move(unfinished, to: rescued)
    } catch {
      clear()
      if error.kind == .damaged { return false }
      throw error
    }
    return true
  }

  /// Opens the file, or makes it: of what was rescued, if anything was, which outlives the process.
  ///
  /// - Parameter isReplacing: whether a file at the path is not the one that was used.
  /// - Returns: the file, and where that was put which was found in its place.
  mutating func open(isReplacing: Bool = false) throws(DeviceStoreError) -> (QueueFile, String?) {
    try takePlace()
    let hasRescued = access(rescued, F_OK) == 0
    var setAside: String?
    if isReplacing || hasRescued {
      if access(path, F_OK) == 0 { setAside = try self.setAside() }
      // A log belongs to its file, and would be taken for that of the new one.
      for companion in ["-wal", "-shm"] { unlink(path + companion) }
    }
    if hasRescued { try move(rescued, to: path) }
    return (
      try QueueFile(at: place, limit: limit), setAside
    )
  }

  /// How many files that were found in the place of the queue are kept.
  private static let strangers = 9

  private func setAside() throws(DeviceStoreError) -> String {
    let free = (1..<QueueHome.strangers).first { access("\(path).replaced-\($0)", F_OK) != 0 }
    let other = "\(path).replaced-\(free ?? QueueHome.strangers)"
    try move(path, to: other)
    for companion in ["-wal", "-shm"] { _ = rename(path + companion, other + companion) }
    return other
  }

  private func move(_ path: String, to other: String) throws(DeviceStoreError) {
    guard rename(path, other) == 0 else { throw .system("rename", path, errno) }
    // A name is on the disk when its directory is.
    let descriptor = Glibc.open(place.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
