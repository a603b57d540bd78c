import Synchronization

/// What a command has done so far, for who asks by a signal.
final class Statistics: Sendable {
  private let kept: Mutex<String>

  /// - Parameter beginning: what is said before anything was done.
  init(_ beginning: String = "nothing yet") { kept = Mutex(beginning) }

  /// In words.
  var text: String {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}
