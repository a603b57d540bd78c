import Bluetooth
import LunaCore
import Synchronization

/// Clocks that stand still until somebody lets time pass.
final class YearClock: Sendable {
  private struct Wait {
    let end: Duration
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var elapsed = Duration.zero
    /// By how much the time of day is wrong.
    var error = Duration.zero
    var waits: [Int: Wait] = [:]
    var number = 0
    /// Waits that were ended before they began.
    var cancelled: Set<Int> = []
  }

  let start: Timestamp
  private let state = Mutex(State())

  init(start: Timestamp) { self.start = start }

  var elapsed: Duration { state.withLock(\.elapsed) }

  /// The time of day as the machine believes it is.
  var now: Timestamp {
    let passed = state.withLock { $0.elapsed + $0.error }
    return Timestamp(microseconds: start.microseconds + Int64(passed / .microseconds(1)))
  }

  var clock: WallClock {
    WallClock(now: { self.now }, elapsed: { self.elapsed }, sleep: { try await self.sleep($0) })
  }

  /// Lets time pass, to a time since the start.
  func advance(to time: Duration) {
    let over = state.withLock { state in
      state.elapsed = max(state.elapsed, time)
      let over = state.waits.filter { $0.value.end <= state.elapsed }
      for number in over.keys { state.waits[number] = nil }
      return over.values.map(\.continuation)
    }
    for continuation in over { continuation.resume(returning: true) }
  }

  /// Sets the time of day wrong, or right.
  func step(error: Duration) { state.withLock { $0.error = error } }

  private func sleep(_ duration: Duration) async throws {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result: Bool? = state.withLock { state in
          if state.cancelled.remove(number) != nil { return false }
          if duration <= .zero { return true }
          state.waits[number] = Wait(end: state.elapsed + duration, continuation: continuation)
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      let wait = state.withLock { state in
        let wait = state.waits.removeValue(forKey: number)
        if wait == nil { state.cancelled.insert(number) }
        return wait
      }
      wait?.continuation.resume(returning: false)
    }
    _ = state.withLock { $0.cancelled.remove(number) }
    if !isOver { throw CancellationError() }
  }
}
