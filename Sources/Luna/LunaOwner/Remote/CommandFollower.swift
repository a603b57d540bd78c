import LunaCore
import Synchronization

/// The remote commands that are asked about until they are over.
final class CommandFollower: Sendable {
  let updates = Listeners<RemoteCommand>(keeping: 64)
  let errors = Listeners<any Error>(keeping: 64)
  private let state = Mutex(State())

  private struct State {
    var tasks: [String: (number: Int, task: Task<Void, Never>)] = [:]
    /// How many were begun so far.
    var count = 0
  }

  /// Follows a command by its number at the backend, once.
  func start(_ id: String, _ body: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard state.tasks[id] == nil else { return }
      state.count += 1
      let number = state.count
      let task = Task { [weak self] in
        await body()
        self?.end(id, number)
      }
      state.tasks[id] = (number, task)
    }
  }

  /// One that was stopped may be followed anew before it has ended.
  private func end(_ id: String, _ number: Int) {
    state.withLock { state in
      if state.tasks[id]?.number == number { state.tasks[id] = nil }
    }
  }

  /// Follows none any more.
  func stop() {
    let tasks = state.withLock { state in
      defer { state.tasks = [:] }
      return state.tasks.values.map(\.task)
    }
    for task in tasks { task.cancel() }
  }
}
