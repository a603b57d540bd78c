import Synchronization

/// One task that is begun once and cancelled in the end.
final class TaskHolder: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Begins it, unless it has been begun.
  func hold(_ begin: () -> Task<Void, Never>?) {
    task.withLock { $0 = $0 ?? begin() }
  }

  /// Cancels it.
  func cancel() { task.withLock { $0 }?.cancel() }
}
