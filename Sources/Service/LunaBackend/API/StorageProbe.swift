import Synchronization

/// Whether the storage can be written: what became of the last uploads, and of a small write. The
/// answer is remembered for a moment, so that asking costs nothing.
final class StorageProbe: Sendable {
  /// How long an upload that could not be stored counts: a small write may work on a disk that is
  /// full for larger ones.
  private static let memory = Duration.seconds(10)
  private static let pause = Duration.seconds(1)

  private struct Finding {
    let time = ContinuousClock.now
    let failure: StorageError?

    func isOlder(than age: Duration) -> Bool { time.duration(to: .now) >= age }
  }

  private struct State {
    var upload: Finding?
    var probe: Finding?
  }

  private let state = Mutex(State())

  /// Takes note of what became of an upload.
  func note(_ failure: StorageError?) {
    state.withLock { state in
      if failure != nil || state.upload != nil {
        state.upload = failure.map { Finding(failure: $0) }
      }
    }
  }

  /// Why the storage cannot be written; nil when it can.
  func failure(of storage: any Storage) async -> StorageError? {
    let (upload, probe) = state.withLock { ($0.upload, $0.probe) }
    if let upload, !upload.isOlder(than: StorageProbe.memory) { return upload.failure }
    if let probe, !probe.isOlder(than: StorageProbe.pause) { return probe.failure }
    var failure: StorageError?
    do throws(StorageError) {
      try await storage.health()
    } catch {
      failure = error
    }
    state.withLock { [failure] in $0.probe = Finding(failure: failure) }
    return failure
  }
}
