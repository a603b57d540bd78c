import EventLoop
import Glibc

/// Notices that nobody reads standard output any more, which otherwise only writing to it would show.
enum ClosedPipe {
  /// Whether that has happened.
  static var isClosed: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&output, 1, 0) == 1 && Int32(output.revents) & POLLERR != 0
  }

  /// Calls `body` once when that has happened.
  static func watch(_ body: @escaping @Sendable () -> Void) {
    Blocking.start {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      var count: Int32
      repeat { count = poll(&output, 1, -1) } while count < 0 && errno == EINTR
      if count == 1, Int32(output.revents) & POLLERR != 0 { body() }
    }
  }
}
