/// Lets the asynchronous methods of an actor run one after the other, each to its end.
package final class Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  /// Waits for a turn; ``end()`` gives it to the next one.
  package func begin(isolation: isolated (any Actor)? = #isolation) async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Ends a turn.
  package func end() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
