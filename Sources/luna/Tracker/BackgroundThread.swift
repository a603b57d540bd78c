import Glibc

/// Work that blocks. The threads that Swift runs tasks on are as few as the machine has processors:
/// on a machine with one, a task that waits for input would stop everything.
enum BackgroundThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs it on a thread of its own; not at all when the system has none left.
  static func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let failed = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    if failed == 0 { pthread_detach(thread) } else { work.release() }
  }
}
