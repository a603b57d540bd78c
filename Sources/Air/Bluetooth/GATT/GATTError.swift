public import Diagnosis

/// Why something with a peer did not work.
public struct GATTError: Diagnosed, Hashable {
  /// What programs decide by: whether to try again, later, or not at all.
  public enum Kind: String, Sendable {
    /// The peer has no such service or characteristic, or bluetoothd does not know the peer.
    case notFound
    /// No answer to the attempts to connect: it is out of range, or accepts no connections now.
    case outOfRange
    /// The peer, or bluetoothd in its stead, said no: an ATT error, pairing asked for, no permission.
    case refused
    /// The adapter or the peer is occupied: another connection or attempt is under way.
    case busy
    /// This side ended the connection, or the attempt at one, unasked (le-connection-abort-by-local).
    case abortedLocally
    /// The peer ended the connection, or it broke.
    case abortedByPeer
    /// Connected, but no answer in time.
    case timedOut
    /// What the peer sent is not what the specification allows.
    case malformed
    /// The adapter was taken away or switched off.
    case adapterLost
    /// bluetoothd ended or was started again meanwhile.
    case daemonRestarted
  }

  /// What kind of failure it is; ``diagnosis`` says the rest in words.
  public let kind: Kind
  /// What was being done, what happened and why, and what to do.
  public let diagnosis: Diagnosis
  /// The error code of the Attribute Protocol, where the peer gave one (Core Specification, Vol 3,
  /// Part F, 3.4.1.1).
  public let attributeError: UInt8?

  /// An error of `kind`.
  public init(
    _ kind: Kind, during operation: String, _ reason: String, attributeError: UInt8? = nil
  ) {
    self.kind = kind
    diagnosis = Diagnosis(
      reason, during: operation, remedy: GATTError.remedy(kind, during: operation))
    self.attributeError = attributeError
  }
}

extension GATTError: CustomStringConvertible {
  /// What was being done, and what happened; what to do is left to who knows what it was for.
  public var description: String { diagnosis.problem }
}

extension GATTError {
  /// What was being done: `connect`, `discover`, `read`, `write`, `subscribe`, `indication`.
  public var operation: String { diagnosis.operation ?? "" }

  /// By what went wrong, so that nobody is sent nearer to a tracker that is right there.
  private static func remedy(_ kind: Kind, during operation: String) -> Remedy {
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

  /// Whether a further connection may get further.
  public var isPassing: Bool {
    switch kind {
    case .outOfRange, .busy, .abortedLocally, .abortedByPeer, .timedOut, .daemonRestarted: true
    // bluetoothd forgets peers that it has not heard for a while; the next frame brings it back.
    case .notFound: operation == "connect"
    case .refused, .malformed, .adapterLost: false
    }
  }
}
