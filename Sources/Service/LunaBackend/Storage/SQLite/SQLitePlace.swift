import Synchronization

/// Whether the file of a storage is still where it was opened. The writer finds out with every
/// commit; from then on nobody reads from it either, as what it has is no longer what is there.
final class SQLitePlace: Sendable {
  private let loss = Mutex<StorageError?>(nil)

  /// Takes note of a failure; of what happened to the file the first one stays.
  func note(_ failure: StorageError) {
    guard failure.kind == .replaced else { return }
    loss.withLock { if $0 == nil { $0 = failure } }
  }

  /// - Throws: what happened to the file.
  func check() throws(StorageError) {
    if let failure = loss.withLock({ $0 }) { throw failure }
  }
}
