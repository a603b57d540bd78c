import LunaCore
import Synchronization

/// The remote commands that are asked about until they are over.
final class CommandFollower: Sendable {
  let updates = Listeners<RemoteCommand>(keeping: 64)
  let errors = Listeners<any Error>(keeping: 64)
  private let tasks = Mutex<[String: Task<Void, Never>]>([:])

  /// Follows a command by its number at the backend, once.
  func start(_ id: String, _ body: @escaping @Sendable () async -> Void) {
    tasks.withLock { tasks in
      guard tasks[id] == nil else { return }
      tasks[id] = Task { [weak self] in
        await body()
        self?.tasks.withLock { $0[id] = nil }
      }
    }
  }

  /// Follows none any more.
  func stop() {
    let tasks = tasks.withLock { tasks in
      defer { tasks = [:] }
      return tasks.values
    }
    for task in tasks { task.cancel() }
  }
}
