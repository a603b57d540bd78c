import Synchronization

/// Lets so many in at once; others wait for their turn, in their order.
package final class Turnstile: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  /// - Parameter places: how many are in at once.
  package init(places: Int) { state = Mutex(State(free: places)) }

  /// Does something when there is a place for it.
  package func enter<Result: Sendable>(
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    await withCheckedContinuation { continuation in
      let isIn = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isIn { continuation.resume() }
    }
    defer { leave() }
    return try await body()
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      // The place goes from hand to hand.
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
