import Diagnosis
import FileOutput
import Glibc
import LunaCrypto
import LunaProtocol

/// The flash of a tracker in software: one small file, of which at any moment, also after `kill -9`
/// or a power cut, either the old content or the new one is there.
public struct TrackerFlash: Sendable {
  /// Where the file is, among those of other trackers: `trackers` in the state directory.
  public let directory: String
  /// The name of the tracker.
  public let name: String

  private let files: any FlashFiles

  /// Where the trackers of a state directory are.
  public static func directory(in state: String) -> String { state + "/trackers" }

  /// The flash of a tracker, which need not be there yet.
  ///
  /// - Parameters:
  ///   - name: 1 to 64 bytes of UTF-8 without `/` and control characters, not starting with a dot.
  ///   - state: the state directory of this user.
  /// - Throws: ``TrackerError`` of kind `invalid` for other names.
  public init(name: String, state: String) throws(TrackerError) {
    try self.init(name: name, state: state, files: LinuxFlashFiles())
  }

  init(name: String, state: String, files: any FlashFiles) throws(TrackerError) {
    let isPlain = name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    guard (1...64).contains(name.utf8.count), isPlain, !name.hasPrefix("."), !name.hasPrefix("-")
    else {
      throw TrackerError(
        .invalid, "this cannot be the name of a tracker",
        remedy: "use up to 64 bytes without / and control characters, not starting with . or -")
    }
    self.name = name
    directory = TrackerFlash.directory(in: state)
    self.files = files
  }

  private static let suffix = ".flash"
  private var path: String { "\(directory)/\(name)\(TrackerFlash.suffix)" }

  /// The names of all trackers in a state directory, in order.
  ///
  /// - Throws: ``TrackerError`` when the directory is there and cannot be read.
  public static func names(in state: String) throws(TrackerError) -> [String] {
    let directory = TrackerFlash.directory(in: state)
    guard let names = Directory.names(in: directory) else {
      if errno == ENOENT { return [] }
      throw failure("read", directory, errno)
    }
    return names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
      .map { String($0.dropLast(suffix.count)) }.sorted()
  }

  /// Reads the image.
  ///
  /// - Throws: ``TrackerError`` of kind `notFound`, `unreadable` or `system`.
  public func load() throws(TrackerError) -> FlashImage {
    let descriptor = files.open(reading: path)
    guard descriptor >= 0 else {
      if descriptor == -ENOENT {
        throw TrackerError(
          .notFound, "there is no tracker \"\(name)\"",
          remedy: "\(.trackers) shows them; \(.trackerCreation) makes one")
      }
      throw TrackerFlash.failure("read", path, -descriptor)
    }
    defer { files.close(descriptor) }
    var bytes: [UInt8] = []
    defer { wipe(&bytes) }
    // One byte more than there should be, to notice it.
    while bytes.count <= FlashImage.byteCount {
      var (result, piece) = files.read(descriptor, count: FlashImage.byteCount + 1 - bytes.count)
      defer { wipe(&piece) }
      guard result >= 0 else { throw TrackerFlash.failure("read", path, Int32(-result)) }
      if result == 0 { break }
      bytes += piece
    }
    do throws(FlashImage.Damage) {
      return try FlashImage(bytes)
    } catch {
      throw unreadable(error)
    }
  }

  private func unreadable(_ damage: FlashImage.Damage) -> TrackerError {
    switch damage {
    case .damaged:
      TrackerError(
        .unreadable, "the flash of \"\(name)\" is damaged: \(path)",
        remedy: "restore a copy of it; without one, move it away and create the tracker again")
    case .newer(let version):
      TrackerError(
        .unreadable,
        "the flash of \"\(name)\" is of version \(version), this is version "
          + "\(FlashImage.version)", remedy: "use a newer luna")
    case .crypto(let error): TrackerError(.crypto, error.description)
    }
  }

  /// Makes the flash of a new tracker.
  ///
  /// - Throws: ``TrackerError`` of kind `exists` when there is one of that name.
  public func create(_ image: FlashImage) throws(TrackerError) {
    try makeDirectory()
    let lock = try lock()
    defer { lock.release() }
    let descriptor = files.open(reading: path)
    guard descriptor == -ENOENT else {
      if descriptor >= 0 { files.close(descriptor) }
      throw TrackerError(
        .exists, "there is a tracker \"\(name)\" already",
        remedy: "choose another name, or \(.trackerReset)")
    }
    try store(image)
  }

  /// Writes the image; it is on the disk when this returns, and the old one is when it throws
  /// before the change of names.
  ///
  /// - Throws: ``TrackerError`` of kind `system`, such as for a full disk.
  public func store(_ image: FlashImage) throws(TrackerError) {
    var bytes: [UInt8]
    do throws(CryptoError) {
      bytes = try image.encoded()
    } catch {
      throw TrackerError(.crypto, error.description)
    }
    defer { wipe(&bytes) }
    // The lock of the name sees to it that nobody else writes it. Names of trackers do not begin
    // with a dot.
    let temporary = "\(directory)/.\(name)\(TrackerFlash.suffix).new"
    let descriptor = files.create(temporary)
    guard descriptor >= 0 else { throw TrackerFlash.failure("write", temporary, -descriptor) }
    var rest = bytes[...]
    var error: Int32 = 0
    while !rest.isEmpty, error == 0 {
      let count = files.write(descriptor, rest)
      // Nothing written and no error: the disk takes no more.
      if count <= 0 { error = count == 0 ? ENOSPC : Int32(-count) }
      rest = rest.dropFirst(max(0, count))
    }
    if error == 0 { error = -min(0, files.sync(descriptor)) }
    files.close(descriptor)
    if error == 0 { error = -min(0, files.rename(temporary, to: path)) }
    guard error == 0 else {
      // It has keys in it, and on a full disk it is in the way.
      _ = files.remove(temporary)
      throw TrackerFlash.failure("write", path, error)
    }
    let handle = files.open(directory: directory)
    guard handle >= 0 else { throw TrackerFlash.failure("write", directory, -handle) }
    defer { files.close(handle) }
    let synced = files.sync(handle)
    guard synced >= 0 else { throw TrackerFlash.failure("write", directory, -synced) }
  }

  /// Removes a tracker that was made a moment ago, and of which nobody knows.
  package func withdraw() throws(TrackerError) {
    let removed = files.remove(path)
    guard removed >= 0 || removed == -ENOENT else {
      throw TrackerFlash.failure("remove", path, -removed)
    }
  }

  private func makeDirectory() throws(TrackerError) {
    var made = directory.hasPrefix("/") ? "/" : ""
    for part in directory.split(separator: "/") {
      made += made.isEmpty || made == "/" ? String(part) : "/\(part)"
      if mkdir(made, 0o700) != 0, errno != EEXIST {
        throw TrackerFlash.failure("make", made, errno)
      }
    }
  }

  /// Keeps other processes from running or changing this tracker.
  ///
  /// - Throws: ``TrackerError`` of kind `busy`, or `notFound` when there are no trackers at all.
  public func lock() throws(TrackerError) -> FlashLock {
    let path = "\(directory)/.\(name).lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      if errno == ENOENT {
        throw TrackerError(
          .notFound, "there is no tracker \"\(name)\"", remedy: "\(.trackerCreation) makes one")
      }
      throw TrackerFlash.failure("lock", path, errno)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let error = errno
      close(descriptor)
      guard error == EWOULDBLOCK else { throw TrackerFlash.failure("lock", path, error) }
      throw TrackerError(
        .busy, "another process runs the tracker \"\(name)\"",
        remedy: "end it first: two of one key would show where the clocks differ")
    }
    return FlashLock(descriptor)
  }

  private static func failure(_ what: String, _ path: String, _ error: Int32) -> TrackerError {
    let text = strerror(error).map { String(cString: $0) } ?? "error \(error)"
    let remedy: Remedy? =
      switch error {
      case ENOSPC, EDQUOT: "free some space"
      case EACCES, EPERM, EROFS: "choose \(.otherTrackerDirectory)"
      default: nil
      }
    return TrackerError(.system, "cannot \(what) \(path): \(text)", remedy: remedy, errno: error)
  }
}
