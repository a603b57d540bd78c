import Synchronization

/// Wakes those who wait to connect when somebody in the room begins to take connections.
final class RoomChanges: Sendable {
  private struct State {
    var count = 0
    /// What those who wait sleep in.
    var sleepers: [Int: Task<Void, Never>] = [:]
    var last = 0
  }

  private let state = Mutex(State())

  /// How many there were.
  var count: Int { state.withLock(\.count) }

  /// There is one.
  func note() {
    let sleepers = state.withLock { state -> [Task<Void, Never>] in
      defer { state.sleepers = [:] }
      state.count += 1
      return Array(state.sleepers.values)
    }
    for sleeper in sleepers { sleeper.cancel() }
  }

  /// Waits until `sleep` returns, or there are more changes than `count`.
  func wait(after count: Int, _ sleep: @escaping @Sendable () async -> Void) async {
    let entry = state.withLock { state -> (number: Int, sleeper: Task<Void, Never>)? in
      guard state.count == count else { return nil }
      let sleeper = Task { await sleep() }
      state.last += 1
      state.sleepers[state.last] = sleeper
      return (state.last, sleeper)
    }
    guard let entry else { return }
    await withTaskCancellationHandler {
      await entry.sleeper.value
    } onCancel: {
      entry.sleeper.cancel()
    }
    state.withLock { $0.sleepers[entry.number] = nil }
  }
}
