import Glibc
import Synchronization

/// Hands signals to a closure on the main thread, where anything may be called.
///
/// The main thread has to wait for them itself: left to the runtime, it would sleep with all
/// signals unblocked, and one that is watched would end the process.
enum SignalWatcher {
  private static let watched = [SIGINT, SIGTERM, SIGHUP, SIGUSR1]
  private static let handler = Mutex<(@Sendable (Int32) -> Void)?>(nil)

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    watched.forEach { sigaddset(&set, $0) }
    return set
  }

  /// Keeps the watched signals from ending the process. Has to be called before other threads
  /// start: they inherit the mask.
  static func block() {
    var set = set
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Calls `handler` with the number of each signal that arrives, until the process ends.
  static func watch(_ handler: @escaping @Sendable (Int32) -> Void) {
    self.handler.withLock { $0 = handler }
  }

  /// Waits for signals on the main thread. One that nobody watches ends the process.
  static func wait() -> Never {
    var set = set
    while true {
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      if let call = handler.withLock({ $0 }) {
        call(number)
      } else if number != SIGUSR1 {
        _exit(128 + number)
      }
    }
  }
}
