import CLinux
import Glibc

/// What ends a thread that waits for descriptors: it is readable once somebody has called for the end.
final class EndSignal: Sendable {
  let descriptor: Int32

  /// Nil where there are no descriptors left.
  init?() {
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Calls for the end.
  func call() { eventfd_write(descriptor, 1) }
}
