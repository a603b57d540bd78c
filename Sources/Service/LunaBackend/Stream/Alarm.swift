import Synchronization

/// Has one task sleep until somebody rings, or a time is over.
final class Alarm: Sendable {
  private struct State {
    var isRung = false
    var turn = 0
    var sleeper: CheckedContinuation<Void, Never>?

    mutating func takeSleeper() -> CheckedContinuation<Void, Never>? {
      defer { sleeper = nil }
      return sleeper
    }
  }

  private let state = Mutex(State())

  /// Wakes the task. One that does not sleep just now will not the next time.
  func ring() {
    let sleeper = state.withLock { state in
      let sleeper = state.takeSleeper()
      state.isRung = sleeper == nil
      return sleeper
    }
    sleeper?.resume()
  }

  /// Sleeps until somebody rings.
  func sleep(atMost patience: Duration) async {
    await withCheckedContinuation { continuation in
      let turn = state.withLock { state -> Int? in
        guard !state.isRung else {
          state.isRung = false
          return nil
        }
        state.turn += 1
        state.sleeper = continuation
        return state.turn
      }
      guard let turn else { return continuation.resume() }
      Task { [weak self] in
        try? await Task.sleep(for: patience)
        self?.state.withLock { $0.turn == turn ? $0.takeSleeper() : nil }?.resume()
      }
    }
  }
}
