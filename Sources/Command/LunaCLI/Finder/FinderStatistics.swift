import Synchronization

/// What a gateway has done so far, for who asks by a signal.
final class FinderStatistics: Sendable {
  private let kept = Mutex("nothing yet")

  /// In words.
  var text: String {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}
