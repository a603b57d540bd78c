import Glibc

/// Hands signals to a closure on a thread of its own, where anything may be called.
///
/// `block` has to be called before other threads start: they inherit the mask.
enum SignalWatcher {
  private static let watched = [SIGINT, SIGTERM, SIGHUP, SIGUSR1]

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    watched.forEach { sigaddset(&set, $0) }
    return set
  }

  /// Keeps the watched signals from ending the process.
  static func block() {
    var set = set
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Calls `handler` with the number of each signal that arrives, until the process ends.
  static func watch(_ handler: @escaping @Sendable (Int32) -> Void) {
    let context = Unmanaged.passRetained(Handler(handler))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let handler = Unmanaged<Handler>.fromOpaque(context).takeRetainedValue()
        var set = SignalWatcher.set
        while true {
          var number: Int32 = 0
          if sigwait(&set, &number) == 0 { handler.call(number) }
        }
      }, context.toOpaque())
    guard result == 0 else { fatalError("cannot start the signal thread") }
    pthread_detach(thread)
  }

  private final class Handler: Sendable {
    let call: @Sendable (Int32) -> Void
    init(_ call: @escaping @Sendable (Int32) -> Void) { self.call = call }
  }
}
