import Glibc
import Synchronization

/// Ends connections on which something takes too long. The library ends silent ones; those that send a
/// byte now and then would stay for ever.
final class ConnectionWatch: Sendable {
  private struct Entry {
    let socket: Int32
    var deadline: ContinuousClock.Instant?
  }

  private let entries = Mutex<[UInt: Entry]>([:])

  /// How many connections there are.
  var count: Int { entries.withLock { $0.count } }

  /// A connection was made.
  func add(_ connection: UInt, socket: Int32, patience: Duration) {
    entries.withLock {
      $0[connection] = Entry(socket: socket, deadline: .now.advanced(by: patience))
    }
  }

  /// What is to happen next on a connection may take so long; nil: as long as it takes.
  func expect(_ connection: UInt, within patience: Duration?) {
    entries.withLock {
      $0[connection]?.deadline = patience.map { ContinuousClock.now.advanced(by: $0) }
    }
  }

  /// A connection is about to be closed. After this its socket may belong to another one.
  func remove(_ connection: UInt) {
    entries.withLock { _ = $0.removeValue(forKey: connection) }
  }

  /// Ends what is too late. Under the lock, so that no socket is closed meanwhile.
  func sweep(at now: ContinuousClock.Instant = .now) {
    entries.withLock { entries in
      for (connection, entry) in entries {
        guard let deadline = entry.deadline, deadline < now else { continue }
        shutdown(entry.socket, Int32(SHUT_RDWR))
        entries[connection]?.deadline = nil
      }
    }
  }
}
