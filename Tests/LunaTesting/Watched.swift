import Synchronization

/// What a fake has seen, or keeps: like a `Mutex`, and a test can wait until it is as it wants. Who waits is asked at
/// each change, and not in between.
public final class Watched<Value: Sendable>: Sendable {
  private struct Waiter {
    let isWanted: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var value: Value
    var waiters: [Int: Waiter] = [:]
    var last = 0
  }

  private let state: Mutex<State>

  /// What it is at first.
  public init(_ value: Value) { state = Mutex(State(value: value)) }

  /// What it is.
  public var value: Value { state.withLock { $0.value } }

  /// Reads or changes it.
  @discardableResult
  public func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    let (result, due) = state.withLock { state -> (Result, [Waiter]) in
      let result = body(&state.value)
      let value = state.value
      let due = state.waiters.filter { $0.value.isWanted(value) }
      for number in due.keys { state.waiters[number] = nil }
      return (result, Array(due.values))
    }
    for waiter in due { waiter.continuation.resume() }
    return result
  }

  /// Returns when it is as wanted; throws `CancellationError` in a task that is cancelled before.
  ///
  /// - Parameter isWanted: must not ask this value, nor another one.
  public func until(_ isWanted: @escaping @Sendable (Value) -> Bool) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        let isThere = state.withLock { state -> Bool? in
          if isWanted(state.value) { return true }
          guard !Task.isCancelled else { return nil }
          state.waiters[number] = Waiter(isWanted: isWanted, continuation: continuation)
          return false
        }
        guard let isThere else { return continuation.resume(throwing: CancellationError()) }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
}
