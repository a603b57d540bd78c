import Bluetooth
import PeripheralHost

/// What the ends of links and of attempts at links mean to those who wanted them.
enum LinkFault {
  /// A link ended.
  ///
  /// - Parameter isOurs: whether this side had asked for the end.
  static func ended(_ status: HCIStatus, isOurs: Bool) -> GATTError {
    if isOurs { return error(.abortedLocally, "the connection was ended by this side") }
    switch status {
    case .failedToEstablish: return error(.outOfRange, "the peer did not answer: \(status)")
    case .localHostTerminated: return error(.abortedLocally, "this side ended the connection")
    case .authenticationFailure, .keyMissing:
      return error(.refused, "the peer ended the connection: \(status)")
    case .connectionTimeout, .linkLayerTimeout:
      return error(.abortedByPeer, "the peer is not heard any more: \(status)")
    default: return error(.abortedByPeer, "the peer ended the connection: \(status)")
    }
  }

  /// A link was not made.
  static func notMade(_ failure: LinkFailure) -> GATTError {
    switch failure {
    case .busy: return error(.busy, "the controller connects to another peer")
    case .timedOut: return error(.outOfRange, "the peer did not answer")
    case .lost(let reason): return error(.adapterLost, reason)
    case .status(let status):
      switch status {
      case .commandDisallowed, .connectionLimitExceeded, .memoryCapacityExceeded,
        .limitedResources, .controllerBusy, .connectionAlreadyExists:
        return error(.busy, "the controller cannot connect now: \(status)")
      case .failedToEstablish, .unknownConnection, .connectionTimeout, .advertisingTimeout:
        return error(.outOfRange, "the peer did not answer: \(status)")
      case .remoteUserTerminated, .remoteLowResources, .remotePowerOff, .linkLayerTimeout:
        return error(.abortedByPeer, "the peer ended the connection: \(status)")
      case .authenticationFailure, .keyMissing:
        return error(.refused, "the peer refused the connection: \(status)")
      default: return error(.refused, "the controller refuses to connect: \(status)")
      }
    }
  }

  private static func error(_ kind: GATTError.Kind, _ reason: String) -> GATTError {
    GATTError(kind, during: "connect", reason)
  }
}
