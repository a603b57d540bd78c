import Glibc
import Synchronization

/// Hands signals to a closure on the first thread of the process, where anything may be called.
enum SignalWatcher {
  private static let watched = [SIGINT, SIGTERM, SIGHUP, SIGUSR1]
  private static let handler = Mutex<(@Sendable (Int32) -> Void)?>(nil)

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in watched { sigaddset(&set, signal) }
    return set
  }

  /// Keeps the watched signals from ending the process. To be called before other threads start:
  /// they inherit the mask.
  static func block() {
    var set = set
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Waits for signals until the process ends. Without a handler they do what they do by default.
  static func wait() -> Never {
    var set = set
    while true {
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      if let call = handler.withLock({ $0 }) {
        if number == SIGINT || number == SIGTERM {
          // As if somebody who sees that it does not end had meant it.
          StalledOutput.watch { [number] in kill(getpid(), number) }
        }
        call(number)
      } else if number != SIGUSR1 {
        Main.end(128 + number)
      }
    }
  }

  /// From now on, calls `body` with the number of each signal.
  static func watch(_ body: @escaping @Sendable (Int32) -> Void) {
    handler.withLock { $0 = body }
  }
}
