import Synchronization

/// Does something at intervals for as long as it is needed. A server with nothing to do sleeps.
final class RepeatingTimer: Sendable {
  private struct State {
    var isRunning = false
    var isAsked = false
  }

  private let interval: Duration
  private let body: @Sendable () async -> Bool
  private let state = Mutex(State())

  /// - Parameter body: what is done; returns whether it is needed again.
  init(every interval: Duration, _ body: @escaping @Sendable () async -> Bool) {
    self.interval = interval
    self.body = body
  }

  /// It is needed, an interval from now at the latest.
  func wake() {
    let starts = state.withLock { state in
      state.isAsked = true
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts else { return }
    Task { await run() }
  }

  private func run() async {
    while true {
      try? await Task.sleep(for: interval)
      state.withLock { $0.isAsked = false }
      let isNeeded = await body()
      let ends = state.withLock { state in
        state.isRunning = isNeeded || state.isAsked
        return !state.isRunning
      }
      if ends { return }
    }
  }
}
