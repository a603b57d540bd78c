import Bluetooth
import Synchronization

/// The present state of a source, and its changes for everybody who asks.
final class StateBroadcast: Sendable {
  private struct Content {
    var latest = SourceState.starting
    var listeners: [Int: AsyncStream<SourceState>.Continuation] = [:]
    var nextListener = 0
    var isFinished = false
  }

  private let content = Mutex(Content())

  /// The latest state, then every change.
  var stream: AsyncStream<SourceState> {
    AsyncStream { listener in
      let id = content.withLock { content -> Int? in
        listener.yield(content.latest)
        guard !content.isFinished else { return nil }
        defer { content.nextListener += 1 }
        content.listeners[content.nextListener] = listener
        return content.nextListener
      }
      guard let id else { return listener.finish() }
      listener.onTermination = { [weak self] _ in
        self?.content.withLock { $0.listeners[id] = nil }
      }
    }
  }

  /// Tells a change; the same state again is no change.
  func send(_ state: SourceState) {
    content.withLock { content in
      guard state != content.latest, !content.isFinished else { return }
      content.latest = state
      for listener in content.listeners.values { listener.yield(state) }
    }
  }

  /// Ends all streams.
  func finish() {
    let listeners = content.withLock { content in
      content.isFinished = true
      defer { content.listeners = [:] }
      return content.listeners
    }
    for listener in listeners.values { listener.finish() }
  }
}
