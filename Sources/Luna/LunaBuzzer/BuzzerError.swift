package import Bluetooth
public import Diagnosis
import LunaCore

/// Why a tracker did not do what it was to do. Never holds key material.
public struct BuzzerError: Diagnosed, CustomStringConvertible, Hashable {
  /// What went wrong, for programs that decide by it.
  public enum Kind: String, Sendable {
    /// It was not heard in time.
    case notHeard
    /// It was heard, and accepted no connection in time.
    case notConnectable
    /// None of the packages is for what the tracker shows now.
    case noMatchingPackage
    /// No package could be made: the keys are not there, or the store refuses.
    case noPackage
    /// Connections did not come about, or broke, until the time was over.
    case unreachable
    /// It was told, and no answer came.
    case noAnswer
    /// It offers nothing of the kind: another device, or a maker without such a protocol.
    case notOffered
    /// The package is not from its owner, or not for this connection.
    case unauthorized
    /// It knows this command, or a later one, already.
    case stale
    /// An earlier attempt of which the answer was lost has most likely been executed.
    case alreadyExecuted
    /// The package is for another period.
    case wrongPeriod
    /// It does not know the command, or has no owner.
    case unsupported
    /// It is starting or updating.
    case busy
    /// It has executed too many commands lately.
    case limited
    /// It gave a status that is not known, or that makes no sense here; or it has no sound to be stopped.
    case refused
    /// The answer is not from the tracker that the keys belong to.
    case forged
    /// The answer is not what the protocol allows.
    case malformed
    /// It is not separated from its owner, so that it obeys nobody else, or it sounds already.
    case notSeparated
    /// The adapter was taken away, or may not be used.
    case adapter
    /// It was stopped from this side.
    case stopped
  }

  /// What went wrong; ``diagnosis`` says it in words, and what to do.
  public let kind: Kind
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis
  /// What the tracker indicated, where it did.
  public let receipt: [UInt8]?
  /// Whether `receipt` was proven to come from the tracker.
  public let isVerified: Bool
  /// From when it can be done, in the owner's time; nil where waiting does not help.
  package var possibleAt: Timestamp?

  /// An error of `kind`.
  public init(
    _ kind: Kind, _ reason: String, remedy: Remedy? = nil, receipt: [UInt8]? = nil,
    isVerified: Bool = false
  ) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
    self.receipt = receipt
    self.isVerified = isVerified
  }
}

extension BuzzerError.Kind: ConnectionFailureKind {}

extension BuzzerError {
  /// What a failure of the connection means when it is not tried again.
  init(_ error: GATTError) {
    let failure = Kind.told(of: error)
    self.init(failure.kind, failure.reason, remedy: error.remedy)
  }

  /// What to do when a device does not keep to its protocol.
  static let faultyRemedy: Remedy = "try again; if that does not help, the tracker is faulty"

  static let stopped = BuzzerError(.stopped, "stopped")
}
