import Synchronization

/// How much is under way, for who wants to wait until nothing is.
final class Activity: Sendable {
  private struct State {
    var count = 0
    var lastWaiter = 0
    var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
  }

  private let state = Mutex(State())

  func begin() { state.withLock { $0.count += 1 } }

  func end() {
    let waiters = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
      state.count -= 1
      guard state.count == 0, !state.waiters.isEmpty else { return [] }
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  /// Waits until nothing is under way.
  ///
  /// - Returns: false when something still is after so long.
  func isOver(within patience: Duration) async -> Bool {
    await withCheckedContinuation { continuation in
      let number = state.withLock { state -> Int? in
        guard state.count > 0 else { return nil }
        state.lastWaiter += 1
        state.waiters[state.lastWaiter] = continuation
        return state.lastWaiter
      }
      guard let number else { return continuation.resume(returning: true) }
      Task { [weak self] in
        try? await Task.sleep(for: patience)
        self?.state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: false)
      }
    }
  }
}
