import Synchronization

/// Remembers for a moment whether the storage could be written, so that asking costs nothing.
final class StorageProbe: Sendable {
  private let last = Mutex<(time: ContinuousClock.Instant, failure: StorageError?)?>(nil)

  /// Why the storage cannot be written; nil when it can.
  func failure(of storage: any Storage) async -> StorageError? {
    if let last = last.withLock({ $0 }), last.time.duration(to: .now) < .seconds(1) {
      return last.failure
    }
    var failure: StorageError?
    do throws(StorageError) {
      try await storage.health()
    } catch {
      failure = error
    }
    last.withLock { [failure] in $0 = (.now, failure) }
    return failure
  }
}
