import Synchronization

/// What a task waits for that wants to know at once when there is news, and otherwise after some time:
/// whoever has news rings. One task waits at a time.
public final class Bell: Sendable {
  private struct State {
    /// Whether it has rung while nobody waited.
    var hasRung = false
    var waiter: CheckedContinuation<Void, Never>?
    var timer: Task<Void, Never>?
    /// Which wait it is.
    var number = 0
  }

  private let state = Mutex(State())

  /// A bell that has not rung.
  public init() {}

  /// Lets who waits go on; or, while nobody does, who waits next.
  public func ring() {
    let (waiter, timer) = state.withLock { state in
      defer {
        state.hasRung = state.waiter == nil
        state.waiter = nil
        state.timer = nil
      }
      return (state.waiter, state.timer)
    }
    // The timer goes first: by a clock of a simulation no time passes any more.
    timer?.cancel()
    waiter?.resume()
  }

  /// Returns when it rings, at once if it has since somebody waited last; or after `limit`, or when
  /// the task is cancelled.
  public func wait(for limit: Duration, by clock: WallClock = .system) async {
    guard limit > .zero else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          defer { state.hasRung = false }
          guard !state.hasRung, !Task.isCancelled else { return true }
          state.waiter = continuation
          state.number += 1
          state.timer = Task { [self, number = state.number] in
            if (try? await clock.sleep(limit)) != nil { timeIsOver(number) }
          }
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      ring()
    }
  }

  private func timeIsOver(_ number: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      // Another wait has a time of its own.
      guard state.number == number else { return nil }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}
