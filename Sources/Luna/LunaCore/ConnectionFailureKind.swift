package import Bluetooth

/// The kinds of an error that a failed connection to a tracker can be.
package protocol ConnectionFailureKind {
  static var adapter: Self { get }
  static var unreachable: Self { get }
  static var notOffered: Self { get }
  static var malformed: Self { get }
}

extension ConnectionFailureKind {
  /// What a failed connection means to whoever wanted something of a tracker, once it is not tried again.
  package static func told(of error: GATTError) -> (kind: Self, reason: String) {
    switch error.kind {
    case .adapterLost: (.adapter, "the adapter was lost: \(error)")
    case .refused: (.unreachable, "refused: \(error)")
    case .notFound: (.notOffered, "\(error)")
    case .malformed: (.malformed, "\(error)")
    case .outOfRange, .busy, .abortedLocally, .abortedByPeer, .timedOut, .daemonRestarted:
      (.unreachable, "\(error)")
    }
  }
}
