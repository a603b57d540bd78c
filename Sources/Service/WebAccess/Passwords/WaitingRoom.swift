import Synchronization

/// Where those wait who have to. When the server stops, nobody waits any longer.
package final class WaitingRoom: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var next = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Waits.
  ///
  /// - Returns: false where the server stops meanwhile.
  package func wait(_ duration: Duration) async -> Bool {
    guard duration > .zero else { return true }
    let entry = state.withLock { state -> (Int, Task<Void, Never>)? in
      guard !state.isClosed else { return nil }
      let task = Task { _ = try? await Task.sleep(for: duration) }
      state.next += 1
      state.tasks[state.next] = task
      return (state.next, task)
    }
    guard let (number, task) = entry else { return false }
    await task.value
    return state.withLock { state in
      state.tasks[number] = nil
      return !state.isClosed
    }
  }

  /// Lets nobody wait any longer.
  package func close() {
    let tasks = state.withLock { state in
      state.isClosed = true
      return state.tasks.values
    }
    for task in tasks { task.cancel() }
  }
}
