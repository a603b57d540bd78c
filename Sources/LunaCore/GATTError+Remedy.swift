import Bluetooth

extension GATTError {
  /// What to do about it, in one clause: by what went wrong, so that nobody is sent nearer to a
  /// tracker that is right there.
  package var remedy: String {
    switch kind {
    case .outOfRange: "go nearer, and try again"
    case .busy: "end the other connection, or wait for its end, and try again"
    case .abortedLocally, .daemonRestarted: "try again"
    case .abortedByPeer:
      "try again; if it always ends there, the tracker refuses without saying so, or is faulty"
    case .timedOut:
      "it is there, but silent: try again; if that does not help, the tracker is faulty"
    case .malformed: "try again; if that does not help, the tracker is faulty"
    case .refused: "the tracker, or the policy of the system, does not allow it"
    case .adapterLost: "plug it in and try again"
    case .notFound:
      operation == "connect"
        ? "try again" : "it may be another device with the same address; try again"
    }
  }
}
