/// Lets operations through one by one, in the order in which they came. Part of the actor that
/// owns it.
struct OperationQueue {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Whether the caller's turn has come already; else it waits with ``wait(_:)``.
  mutating func take() -> Bool {
    defer { isTaken = true }
    return !isTaken
  }

  /// Resumes `continuation` when its turn has come.
  mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
    waiting.append(continuation)
  }

  /// Ends a turn.
  mutating func leave() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
