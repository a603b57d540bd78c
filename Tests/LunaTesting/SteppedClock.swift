public import Bluetooth
public import LunaCore
import Synchronization

/// A clock that stands until a test lets time pass. Who waits goes on when its time has come.
public final class SteppedClock: Sendable {
  private struct Sleeper {
    let duration: Duration
    let due: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var elapsed = Duration.zero
    var sleepers: [Int: Sleeper] = [:]
    var last = 0
    var watchers: [(duration: Duration, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let start: Timestamp

  /// A clock that shows a time.
  public init(at start: Timestamp = Timestamp(microseconds: 1_795_255_200_000_000)) {
    self.start = start
  }

  /// How much time has passed.
  public var elapsed: Duration { state.withLock(\.elapsed) }

  /// The clock, for what is tested.
  public var clock: WallClock {
    WallClock(
      now: { [self] in
        Timestamp(microseconds: start.microseconds + elapsed.wholeMicroseconds)
      }, elapsed: { [self] in elapsed }, sleep: { [self] in try await sleep($0) })
  }

  /// Lets time pass.
  public func pass(_ duration: Duration) {
    let due = state.withLock { state in
      state.elapsed += duration
      let due = state.sleepers.filter { $0.value.due <= state.elapsed }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.sorted { $0.due < $1.due }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Returns when somebody waits that began to wait for so long.
  public func sleeper(for duration: Duration) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.values.contains(where: { $0.duration == duration }) { return true }
        state.watchers.append((duration, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func sleep(_ duration: Duration) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
          guard !Task.isCancelled else { return nil }
          state.sleepers[number] = Sleeper(
            duration: duration, due: state.elapsed + duration, continuation: continuation)
          let matching = state.watchers.filter { $0.duration == duration }
          state.watchers.removeAll { $0.duration == duration }
          return matching.map(\.continuation)
        }
        guard let watchers else { return continuation.resume(throwing: CancellationError()) }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
