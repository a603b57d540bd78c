/// Lets operations through one by one, in the order in which they came. Part of the actor that
/// owns it.
package struct OperationQueue {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  /// Resumes `continuation` when its turn has come: at once where nobody has one.
  package mutating func take(_ continuation: CheckedContinuation<Void, Never>) {
    guard isTaken else {
      isTaken = true
      return continuation.resume()
    }
    waiting.append(continuation)
  }

  /// Ends a turn.
  package mutating func leave() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
