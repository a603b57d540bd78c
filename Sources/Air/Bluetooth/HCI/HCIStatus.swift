/// How a controller says that a command ended (Core Specification, Vol 1, Part F).
public struct HCIStatus: RawRepresentable, Hashable, Sendable {
  /// The code of the controller, 0x00 for success; those without a name here are kept as they came.
  public let rawValue: UInt8

  /// A status from its HCI code.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Done.
  public static let success = HCIStatus(rawValue: 0x00)
  /// The controller does not know the command.
  public static let unknownCommand = HCIStatus(rawValue: 0x01)
  /// There is no such link; also how a cancelled attempt to connect ends.
  public static let unknownConnection = HCIStatus(rawValue: 0x02)
  /// A key is wrong.
  public static let authenticationFailure = HCIStatus(rawValue: 0x05)
  /// The other side has a key that this side has not.
  public static let keyMissing = HCIStatus(rawValue: 0x06)
  /// The controller has no memory left.
  public static let memoryCapacityExceeded = HCIStatus(rawValue: 0x07)
  /// Nothing was heard of the other side for the supervision time-out.
  public static let connectionTimeout = HCIStatus(rawValue: 0x08)
  /// The controller has no room for another link.
  public static let connectionLimitExceeded = HCIStatus(rawValue: 0x09)
  /// There is a link to this device already.
  public static let connectionAlreadyExists = HCIStatus(rawValue: 0x0B)
  /// The command does not fit the controller's present state.
  public static let commandDisallowed = HCIStatus(rawValue: 0x0C)
  /// The other side has no room for another link.
  public static let limitedResources = HCIStatus(rawValue: 0x0D)
  /// A feature or a parameter value is not supported.
  public static let unsupported = HCIStatus(rawValue: 0x11)
  /// A parameter is out of range.
  public static let invalidParameters = HCIStatus(rawValue: 0x12)
  /// The other side ended the link.
  public static let remoteUserTerminated = HCIStatus(rawValue: 0x13)
  /// The other side ended the link, short of resources.
  public static let remoteLowResources = HCIStatus(rawValue: 0x14)
  /// The other side ended the link, as it is switched off.
  public static let remotePowerOff = HCIStatus(rawValue: 0x15)
  /// This side ended the link.
  public static let localHostTerminated = HCIStatus(rawValue: 0x16)
  /// None of the others.
  public static let unspecified = HCIStatus(rawValue: 0x1F)
  /// The other side did not answer within the link layer.
  public static let linkLayerTimeout = HCIStatus(rawValue: 0x22)
  /// The controller cannot do this now.
  public static let controllerBusy = HCIStatus(rawValue: 0x3A)
  /// The connection parameters were not accepted.
  public static let unacceptableParameters = HCIStatus(rawValue: 0x3B)
  /// Nobody answered directed advertising.
  public static let advertisingTimeout = HCIStatus(rawValue: 0x3C)
  /// A packet failed its integrity check.
  public static let integrityFailure = HCIStatus(rawValue: 0x3D)
  /// The link was made, and the other side was never heard on it.
  public static let failedToEstablish = HCIStatus(rawValue: 0x3E)

  private var name: StaticString? {
    switch self {
    case .success: "Success"
    case .unknownCommand: "Unknown HCI Command"
    case .unknownConnection: "Unknown Connection Identifier"
    case .authenticationFailure: "Authentication Failure"
    case .keyMissing: "PIN or Key Missing"
    case .memoryCapacityExceeded: "Memory Capacity Exceeded"
    case .connectionTimeout: "Connection Timeout"
    case .connectionLimitExceeded: "Connection Limit Exceeded"
    case .connectionAlreadyExists: "Connection Already Exists"
    case .commandDisallowed: "Command Disallowed"
    case .limitedResources: "Connection Rejected due to Limited Resources"
    case .unsupported: "Unsupported Feature or Parameter Value"
    case .invalidParameters: "Invalid HCI Command Parameters"
    case .remoteUserTerminated: "Remote User Terminated Connection"
    case .remoteLowResources: "Remote Device Terminated Connection due to Low Resources"
    case .remotePowerOff: "Remote Device Terminated Connection due to Power Off"
    case .localHostTerminated: "Connection Terminated by Local Host"
    case .unspecified: "Unspecified Error"
    case .linkLayerTimeout: "LL Response Timeout"
    case .controllerBusy: "Controller Busy"
    case .unacceptableParameters: "Unacceptable Connection Parameters"
    case .advertisingTimeout: "Advertising Timeout"
    case .integrityFailure: "Connection Terminated due to MIC Failure"
    case .failedToEstablish: "Connection Failed to be Established"
    default: nil
    }
  }
}

extension HCIStatus: CustomStringConvertible {
  /// The name in the specification where Luna knows it, and the code.
  public var description: String {
    let code = "0x" + Hex.upper(rawValue)
    return name.map { "\($0) (\(code))" } ?? "error \(code)"
  }
}
