import Diagnosis
import Glibc
import LunaCore

/// Keeps a second process out, for as long as this value lives.
struct ExclusiveLock: ~Copyable {
  private let descriptor: Int32

  /// - Parameter what: what the other process is, for the error.
  init(path: String, what: String) throws(DeviceStoreError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system("open", path, errno) }
    // Whatever throws from here on leaves the closing to deinit: all fields are set.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw DeviceStoreError(
        .busy, "\(what) uses \(path.dropLast(".lock".count)) already",
        remedy: "stop that one (fuser \(path)), or use \(.otherDirectory)")
    }
  }

  /// What was noted in the file; nil when that cannot be read.
  var noted: String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Notes something in the file, where that is possible.
  ///
  /// - Parameter isLast: whether it is to be on the disk when this returns.
  func note(_ text: String, isLast: Bool) {
    var text = text
    text.withUTF8 { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    if isLast { fsync(descriptor) }
  }

  /// Whether the file at a path is the one that is locked.
  func isInPlace(_ path: String) -> Bool {
    var (own, other) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, stat(path, &other) == 0 else { return false }
    return own.st_ino == other.st_ino && own.st_dev == other.st_dev
  }

  // Unlocked, because closing alone leaves the lock to a child that another thread has forked and that
  // has not begun its program yet.
  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
