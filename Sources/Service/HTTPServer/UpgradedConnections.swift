import Synchronization

/// The connections of a server that are HTTP no more, and those about to be so.
final class UpgradedConnections: Sendable {
  private struct State {
    /// By request; nil while the answer is on its way.
    var connections: [String: UpgradedConnection?] = [:]
    var isStopping = false
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// How many there are.
  var count: Int { state.withLock { $0.connections.count } }

  /// Keeps a place for the connection of a request.
  ///
  /// - Returns: false when there are too many, or the server stops.
  func reserve(_ request: String) -> Bool {
    state.withLock { state in
      guard !state.isStopping, state.connections.count < limit else { return false }
      state.connections.updateValue(nil, forKey: request)
      return true
    }
  }

  /// The connection of a request is there; of a server that stops it is ended at once.
  func add(_ connection: UpgradedConnection, of request: String) {
    state.withLock { state in
      state.connections.updateValue(connection, forKey: request)
      if state.isStopping { connection.cut() }
    }
  }

  /// The connection of a request is gone, if it had one.
  func remove(_ request: String) {
    state.withLock { _ = $0.connections.removeValue(forKey: request) }
  }

  /// Ends the streams of all, and takes no more.
  func cutAll() {
    // Under the lock: as long as they are here, their sockets are open.
    state.withLock { state in
      state.isStopping = true
      for connection in state.connections.values { connection?.cut() }
    }
  }
}
