import Glibc

/// A tracker's flash that belongs to this process until the lock is released or the process ends.
public final class FlashLock: Sendable {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Lets others have it; to be called once.
  public func release() {
    // Closing alone would leave the lock to a child that another thread has forked and that has not begun
    // its program yet.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
