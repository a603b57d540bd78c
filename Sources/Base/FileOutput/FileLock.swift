import Glibc

/// Keeps other processes, and others in this one, from what a file stands for, for as long as this value lives. Making
/// one waits until nobody else has it; the system gives it back when the process ends, however that ends.
package struct FileLock: ~Copyable {
  private let descriptor: Int32

  /// - Parameter path: a file beside what it stands for; it is made where it is not there, and stays.
  package init(_ path: String) throws(FileOutputError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileOutputError(errno, path: path) }
    // File systems without locks let everybody in at once.
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  // Unlocked, because closing alone leaves the lock to a child that another thread has forked and that has not begun
  // its program yet.
  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
