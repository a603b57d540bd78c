import LunaCore
import Synchronization

/// The beginning and the end of a location source: the task that asks, the updates it tells, and the
/// way to interrupt what it waits for.
final class LocationWorker: Sendable {
  private struct State {
    var isStopped = false
    var task: Task<Void, Never>?
    var interrupt: (@Sendable () -> Void)?
  }

  /// What is told.
  let updates: AsyncStream<LocationUpdate>
  private let continuation: AsyncStream<LocationUpdate>.Continuation
  private let state = Mutex(State())

  init() {
    (updates, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
  }

  /// Begins to work, once.
  func start(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard !state.isStopped, state.task == nil else { return }
      state.task = Task { await work() }
    }
  }

  /// Ends the work, and waits for its end.
  func stop() async {
    let (task, interrupt) = state.withLock { state in
      state.isStopped = true
      return (state.task, state.interrupt)
    }
    interrupt?()
    task?.cancel()
    await task?.value
    continuation.finish()
  }

  /// Whether it is to end.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Tells what is known now.
  func tell(_ update: LocationUpdate) { continuation.yield(update) }

  /// Says what ends something that is waited for; nil when nothing is any more.
  ///
  /// - Returns: whether to wait at all: false when it is to end already.
  @discardableResult
  func interrupts(by interrupt: (@Sendable () -> Void)?) -> Bool {
    state.withLock { state in
      state.interrupt = interrupt
      return !state.isStopped
    }
  }
}
