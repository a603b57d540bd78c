import LunaCore
import Synchronization

/// Waits for something no longer than for a time, also when it does not heed that it is cancelled.
enum TimeLimit {
  /// How long what was cancelled may take to tidy up.
  private static let grace = Duration.seconds(4)

  /// What `body` returns; nil when that took too long.
  ///
  /// When the task is cancelled `body` is, and has a moment for what it has begun.
  static func run<Value: Sendable>(
    _ limit: Duration, _ clock: WallClock, _ body: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let answer = Answer<Value>()
    let work = Task { answer.give(await body()) }
    let alarm = Task {
      guard (try? await clock.sleep(limit)) != nil else { return }
      answer.give(nil)
    }
    let value = await withTaskCancellationHandler {
      await answer.value
    } onCancel: {
      work.cancel()
      Task {
        try? await clock.sleep(grace)
        answer.give(nil)
      }
    }
    work.cancel()
    alarm.cancel()
    return value
  }

  /// A value that comes once, or not at all; what comes later is not heard.
  private final class Answer<Value: Sendable>: Sendable {
    private enum State {
      case waiting(CheckedContinuation<Value?, Never>?)
      case given(Value?)
    }

    private let state = Mutex(State.waiting(nil))

    func give(_ value: Value?) {
      let continuation: CheckedContinuation<Value?, Never>? = state.withLock { state in
        guard case .waiting(let continuation) = state else { return nil }
        state = .given(value)
        return continuation
      }
      continuation?.resume(returning: value)
    }

    var value: Value? {
      get async {
        await withCheckedContinuation { continuation in
          let present: Value?? = state.withLock { state in
            if case .given(let value) = state { return .some(value) }
            state = .waiting(continuation)
            return nil
          }
          if let present { continuation.resume(returning: present) }
        }
      }
    }
  }
}
