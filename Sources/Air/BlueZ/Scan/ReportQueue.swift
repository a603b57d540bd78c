package import Bluetooth
import Synchronization

/// Where the reports wait between the thread that receives them and the one consumer. It is
/// bounded: what does not fit is dropped and counted.
package final class ReportQueue: Sendable {
  private struct State {
    var reports: [AdvertisingReport] = []
    var counters = SourceCounters()
    var waiter: CheckedContinuation<Void, Never>?
    var end: Result<Void, SourceError>?
  }

  private let state = Mutex(State())
  private let capacity: Int

  package init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  /// What was counted so far.
  package var counters: SourceCounters { state.withLock { $0.counters } }

  /// Whether half of the room is taken.
  var isCongested: Bool { state.withLock { $0.reports.count > capacity / 2 } }

  /// Whether the consumer waits for reports.
  var isAwaited: Bool { state.withLock { $0.waiter != nil } }

  /// Adds what was counted outside, for example by a parser.
  func count(_ body: (inout SourceCounters) -> Void) {
    state.withLock { body(&$0.counters) }
  }

  /// Queues `reports` and empties it; `body` brings the counters up to date under the same lock.
  package func push(
    _ reports: inout [AdvertisingReport], counting body: (inout SourceCounters) -> Void = { _ in }
  ) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      body(&state.counters)
      let taken = state.end == nil ? min(reports.count, capacity - state.reports.count) : 0
      state.counters.reports &+= UInt64(taken)
      state.counters.queueDrops &+= UInt64(reports.count - taken)
      if taken == reports.count {
        state.reports.append(contentsOf: reports)
      } else {
        state.reports.append(contentsOf: reports[..<taken])
      }
      guard taken > 0 else { return nil }
      defer { state.waiter = nil }
      return state.waiter
    }
    reports.removeAll(keepingCapacity: true)
    waiter?.resume()
  }

  /// Ends the queue once what is in it was taken; with an error the consumer gets that then.
  package func finish(_ error: SourceError? = nil) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// All reports that wait; suspends until there is one. Nil at the end, or when the task was
  /// cancelled.
  package func next() async throws(SourceError) -> [AdvertisingReport]? {
    while true {
      let (reports, end) = state.withLock { state in
        var taken: [AdvertisingReport] = []
        swap(&taken, &state.reports)
        return (taken, state.end)
      }
      if !reports.isEmpty { return reports }
      if let end {
        try end.get()
        return nil
      }
      if Task.isCancelled { return nil }
      await wait()
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let resumeNow = state.withLock { state in
          if !state.reports.isEmpty || state.end != nil || Task.isCancelled { return true }
          state.waiter = continuation
          return false
        }
        if resumeNow { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }
  }
}
