/// Lets operations through one by one, in the order in which they came. Part of the actor that
/// owns it.
package struct OperationQueue {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  /// Whether the caller's turn has come already; else it waits with ``wait(_:)``.
  package mutating func take() -> Bool {
    defer { isTaken = true }
    return !isTaken
  }

  /// Resumes `continuation` when its turn has come.
  package mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
    waiting.append(continuation)
  }

  /// Ends a turn.
  package mutating func leave() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
