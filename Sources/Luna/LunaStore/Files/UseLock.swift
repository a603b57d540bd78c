import Glibc
import LunaCore

/// Tells whether other processes have the store open: each holds a shared lock on a file beside it.
struct UseLock: ~Copyable {
  private let descriptor: Int32
  /// Whether nobody else had the store open when this was made. Others wait until ``share()``.
  let isFirst: Bool

  init(path: String) throws(DeviceStoreError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system("open", path, errno) }
    isFirst = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    if !isFirst { share() }
  }

  deinit {
    flock(descriptor, LOCK_UN)  // see ExclusiveLock
    close(descriptor)
  }

  /// Lets others in. File systems without locks let everybody in at once, which costs only the
  /// check of a store that was not closed.
  func share() {
    while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
  }
}
