import Glibc
import LunaCore

/// Keeps a second process out, for as long as this value lives.
struct ExclusiveLock: ~Copyable {
  private let descriptor: Int32

  /// - Parameter what: what the other process is, for the error.
  init(path: String, what: String) throws(DeviceStoreError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("open", path, errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(descriptor)
      throw DeviceStoreError(
        .busy, "\(what) uses \(path.dropLast(".lock".count)) already",
        hint: "stop that one (fuser \(path)), or use another directory with --state DIR")
    }
  }

  deinit { close(descriptor) }
}
