import Synchronization

/// Whether the storage can be written: what became of the last uploads, and of a small write. The
/// answer is remembered for a moment, so that asking costs nothing, and comes in time, whatever the storage does.
final class StorageProbe: Sendable {
  /// How long an upload that could not be stored counts: a small write may work on a disk that is
  /// full for larger ones.
  private static let memory = Duration.seconds(10)
  private static let pause = Duration.seconds(1)
  /// How long an answer is waited for: who asks is to have one within 2 s.
  private static let patience = Duration.milliseconds(1500)

  private struct Finding {
    let time = ContinuousClock.now
    let failure: StorageError?

    func isOlder(than age: Duration) -> Bool { time.duration(to: .now) >= age }
  }

  private struct State {
    var upload: Finding?
    var probe: Finding?
    var isAsking = false
    var waiting: [CheckedContinuation<StorageError?, Never>] = []
  }

  private let state = Mutex(State())

  /// Takes note of what became of an upload. That the storage is away the next small write finds, too.
  func note(_ failure: StorageError?) {
    state.withLock { state in
      guard let failure else {
        state.upload = nil
        return
      }
      state.probe = nil
      if failure.kind != .unavailable { state.upload = Finding(failure: failure) }
    }
  }

  /// Why the storage cannot be written; nil when it can.
  ///
  /// - Parameter health: writes something. One at a time is asked.
  func failure(
    _ health: @escaping @Sendable () async throws(StorageError) -> Void
  ) async -> StorageError? {
    let (upload, probe) = state.withLock { ($0.upload, $0.probe) }
    if let upload, !upload.isOlder(than: StorageProbe.memory) { return upload.failure }
    if let probe, !probe.isOlder(than: StorageProbe.pause) { return probe.failure }
    return await withCheckedContinuation { continuation in
      let isFirst = state.withLock { state in
        state.waiting.append(continuation)
        defer { state.isAsking = true }
        return !state.isAsking
      }
      if isFirst { Task { await ask(health) } }
    }
  }

  private func ask(_ health: @escaping @Sendable () async throws(StorageError) -> Void) async {
    let late = StorageError(.unavailable, "the storage has not answered in time")
    // Again for those who come while it still does not.
    let patience = Task {
      while (try? await Task.sleep(for: StorageProbe.patience)) != nil {
        answer(late, isLast: false)
      }
    }
    let failure = await StoragePatience.within(StorageProbe.patience) { () -> StorageError? in
      do throws(StorageError) {
        try await health()
        return nil
      } catch {
        return error
      }
    }
    patience.cancel()
    answer(failure, isLast: true)
  }

  private func answer(_ failure: StorageError?, isLast: Bool) {
    let waiting = state.withLock { state in
      // It may have ended in this moment.
      guard state.isAsking else { return [CheckedContinuation<StorageError?, Never>]() }
      if isLast { state.isAsking = false }
      state.probe = Finding(failure: failure)
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: failure) }
  }
}
