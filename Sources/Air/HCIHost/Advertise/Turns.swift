/// Lets the asynchronous methods of an actor run one after the other, each to its end.
package final class Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  /// Waits for a turn; ``end()`` gives it to the next one.
  package func begin(isolation: isolated (any Actor)? = #isolation) async {
    // Looked for within: between lines before, who has the turn could end it.
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      guard isTaken else {
        isTaken = true
        return continuation.resume()
      }
      waiting.append(continuation)
    }
  }

  /// Ends a turn.
  package func end() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
