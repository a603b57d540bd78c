import CLinux
import Glibc

/// Ends a wait from another thread, and stays raised.
final class Wakeup: Sendable {
  private let descriptor = eventfd(0, Int32(EFD_CLOEXEC))

  deinit { close(descriptor) }

  /// Ends the present wait and all later ones.
  func raise() { eventfd_write(descriptor, 1) }

  /// Waits until it is raised, `other` can be read or was hung up, or the time is over.
  ///
  /// - Parameter timeout: milliseconds; nil for ever.
  func wait(orFor other: Int32?, timeout: Int32?) {
    var descriptors = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      // poll passes over a negative descriptor
      pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    // Interrupted or failed: the caller looks again.
    _ = poll(&descriptors, 2, timeout ?? -1)
  }
}
