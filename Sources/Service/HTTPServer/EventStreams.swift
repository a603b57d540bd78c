import Synchronization

/// The streams of a server that are open.
final class EventStreams: Sendable {
  private struct State {
    var streams: [ObjectIdentifier: EventStream] = [:]
    var isStopping = false
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// How many there are.
  var count: Int { state.withLock { $0.streams.count } }

  /// - Returns: false when there are too many, or the server stops.
  func add(_ stream: EventStream) -> Bool {
    state.withLock { state in
      guard !state.isStopping, state.streams.count < limit else { return false }
      state.streams[ObjectIdentifier(stream)] = stream
      return true
    }
  }

  func remove(_ stream: EventStream) {
    state.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
  }

  /// - Returns: whether there are any.
  func beat() async -> Bool {
    for stream in state.withLock({ Array($0.streams.values) }) { await stream.beat() }
    return count > 0
  }

  /// Ends all when what waits has been sent, and takes no more.
  func closeAll() {
    let streams = state.withLock { state in
      state.isStopping = true
      return Array(state.streams.values)
    }
    for stream in streams { stream.close() }
  }

  /// Ends all at once.
  func abortAll() {
    for stream in state.withLock({ Array($0.streams.values) }) { stream.abort() }
  }
}
