import Synchronization

/// Those who listen to something: each gets an asynchronous sequence of their own. May be used from
/// any thread.
package final class Listeners<Element: Sendable>: Sendable {
  private struct State {
    var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    var last = 0
    var dropped: UInt64 = 0
  }

  /// How many elements are kept for who is slow: the newest ones.
  private let limit: Int
  private let state = Mutex(State())

  /// Nobody listens yet.
  ///
  /// - Parameter limit: how many elements are kept for who is slow: the newest ones.
  package init(keeping limit: Int) { self.limit = limit }

  /// Nobody tells anything any more.
  deinit { finish() }

  /// What is told from now on.
  package func makeStream() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(limit))
    let number = state.withLock { state in
      state.last += 1
      state.continuations[state.last] = continuation
      return state.last
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.continuations.removeValue(forKey: number) }
    }
    return stream
  }

  /// Whether nobody listens.
  package var isEmpty: Bool { state.withLock { $0.continuations.isEmpty } }

  /// Tells all.
  package func tell(_ element: Element) { tell(contentsOf: CollectionOfOne(element)) }

  /// Tells all several elements, in order.
  package func tell(contentsOf elements: some Collection<Element>) {
    guard !elements.isEmpty else { return }
    // Outside the lock, which somebody who stops listening takes.
    var dropped: UInt64 = 0
    for listener in state.withLock({ Array($0.continuations.values) }) {
      for element in elements {
        if case .dropped = listener.yield(element) { dropped += 1 }
      }
    }
    if dropped > 0 { state.withLock { $0.dropped += dropped } }
  }

  /// How many elements were lost so far, because somebody was slow.
  package var dropped: UInt64 { state.withLock(\.dropped) }

  /// Ends all sequences; who asks later gets another one.
  package func finish() {
    let listeners = state.withLock { state in
      defer { state.continuations = [:] }
      return Array(state.continuations.values)
    }
    for listener in listeners { listener.finish() }
  }
}
