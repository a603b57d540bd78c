import Glibc
import Synchronization

/// Ends connections on which something takes too long, and those that one client has too many of. The
/// library ends silent ones; those that send a byte now and then would stay for ever.
final class ConnectionWatch: Sendable {
  private struct Entry {
    let number: Int
    let socket: Int32
    let client: ClientAddress
    var deadline: ContinuousClock.Instant?
  }

  private struct State {
    var entries: [UInt: Entry] = [:]
    var counts: [ClientAddress: Int] = [:]
    /// How many there were so far.
    var made = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: connections of one client; 0 for any number.
  init(limit: Int) { self.limit = limit }

  /// How many connections there are.
  var count: Int { state.withLock { $0.entries.count } }

  /// A connection was made. One too many of a client is ended.
  func add(_ connection: UInt, socket: Int32, client: ClientAddress, patience: Duration) {
    state.withLock { state in
      state.made += 1
      state.entries[connection] = Entry(
        number: state.made, socket: socket, client: client, deadline: .now.advanced(by: patience))
      let count = state.counts[client, default: 0] + 1
      state.counts[client] = count
      if limit > 0, count > limit { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  /// The socket of a connection; nil where it is gone.
  func socket(of connection: UInt) -> Int32? {
    state.withLock { $0.entries[connection]?.socket }
  }

  /// The number of a connection, which no other one has; nil where it is gone.
  func number(of connection: UInt) -> Int? {
    state.withLock { $0.entries[connection]?.number }
  }

  /// What is to happen next on a connection may take so long; nil: as long as it takes.
  func expect(_ connection: UInt, within patience: Duration?) {
    state.withLock {
      $0.entries[connection]?.deadline = patience.map { ContinuousClock.now.advanced(by: $0) }
    }
  }

  /// Ends a connection. Its number tells it from one that has come in its place.
  func cut(_ connection: UInt, _ number: Int) {
    state.withLock { state in
      guard let entry = state.entries[connection], entry.number == number else { return }
      shutdown(entry.socket, Int32(SHUT_RDWR))
    }
  }

  /// Whether the client has closed a connection, or it is gone.
  func isAbandoned(_ connection: UInt, _ number: Int) -> Bool {
    state.withLock { state in
      guard let entry = state.entries[connection], entry.number == number else { return true }
      var byte: UInt8 = 0
      let count = recv(entry.socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
      return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }
  }

  /// A connection is about to be closed. After this its socket may belong to another one.
  func remove(_ connection: UInt) {
    state.withLock { state in
      guard let entry = state.entries.removeValue(forKey: connection) else { return }
      let count = state.counts[entry.client, default: 0] - 1
      state.counts[entry.client] = count > 0 ? count : nil
    }
  }

  /// Ends what is too late. Under the lock, so that no socket is closed meanwhile.
  ///
  /// - Returns: whether there are connections that may become too late.
  func sweep(at now: ContinuousClock.Instant = .now) -> Bool {
    state.withLock { state in
      for (connection, entry) in state.entries {
        guard let deadline = entry.deadline, deadline < now else { continue }
        shutdown(entry.socket, Int32(SHUT_RDWR))
        state.entries[connection]?.deadline = nil
      }
      return !state.entries.isEmpty
    }
  }
}
