package import Bluetooth
import Synchronization

/// The present state of a source, and its changes for everybody who asks.
package final class StateBroadcast: Sendable {
  private struct Content {
    var latest = SourceState.starting
    var toldAt: ContinuousClock.Instant?
    var listeners: [Int: AsyncStream<SourceState>.Continuation] = [:]
    var nextListener = 0
    var isFinished = false
  }

  // A listener is never told anything while this is held: the runtime calls `onTermination`, which needs it,
  // with a lock of the listening task, and telling that task something needs that one.
  private let content = Mutex(Content())
  /// Keeps what listeners are told in order.
  private let telling = Mutex(())

  private let now: @Sendable () -> ContinuousClock.Instant

  /// A state that lasts is told once more when that was so long ago: it is a sign of life to those who look
  /// whether a program works. Two of these may stand one behind the other.
  package static let interval = Duration.seconds(600)

  /// - Parameter now: the time.
  package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
  }

  /// The latest state, then every change.
  package var stream: AsyncStream<SourceState> {
    AsyncStream { listener in
      let id = telling.withLock { _ -> Int? in
        let (latest, id) = content.withLock { content -> (SourceState, Int?) in
          guard !content.isFinished else { return (content.latest, nil) }
          defer { content.nextListener += 1 }
          content.listeners[content.nextListener] = listener
          return (content.latest, content.nextListener)
        }
        listener.yield(latest)
        return id
      }
      guard let id else { return listener.finish() }
      listener.onTermination = { [weak self] _ in
        self?.content.withLock { $0.listeners[id] = nil }
      }
    }
  }

  /// Tells a change; the same state again is no change, but for ``interval``. What is no state that lasts is for those who
  /// listen now.
  package func send(_ state: SourceState) {
    telling.withLock { _ in
      let listeners = content.withLock { content -> [Int: AsyncStream<SourceState>.Continuation] in
        let now = now()
        let isDue = content.toldAt.map { now - $0 >= StateBroadcast.interval } ?? false
        guard state != content.latest || isDue, !content.isFinished else { return [:] }
        if case .recovery = state {} else { content.latest = state }
        content.toldAt = now
        return content.listeners
      }
      for listener in listeners.values { listener.yield(state) }
    }
  }

  /// Ends all streams.
  package func finish() {
    let listeners = content.withLock { content in
      content.isFinished = true
      defer { content.listeners = [:] }
      return content.listeners
    }
    for listener in listeners.values { listener.finish() }
  }
}
