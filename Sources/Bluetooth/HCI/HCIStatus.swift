/// How a controller says that a command ended (Core Specification, Vol 1, Part F).
public struct HCIStatus: RawRepresentable, Hashable, Sendable {
  /// The HCI code.
  public let rawValue: UInt8

  /// A status from its HCI code.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Done.
  public static let success = HCIStatus(rawValue: 0x00)
  /// The controller does not know the command.
  public static let unknownCommand = HCIStatus(rawValue: 0x01)
  /// The command does not fit the controller's present state.
  public static let commandDisallowed = HCIStatus(rawValue: 0x0C)
  /// A feature or a parameter value is not supported.
  public static let unsupported = HCIStatus(rawValue: 0x11)
  /// A parameter is out of range.
  public static let invalidParameters = HCIStatus(rawValue: 0x12)
}

extension HCIStatus: CustomStringConvertible {
  /// The name in the specification where Luna knows it, and the code.
  public var description: String {
    let code = "0x" + Hex.upper(rawValue)
    switch self {
    case .success: return "Success (\(code))"
    case .unknownCommand: return "Unknown HCI Command (\(code))"
    case .commandDisallowed: return "Command Disallowed (\(code))"
    case .unsupported: return "Unsupported Feature or Parameter Value (\(code))"
    case .invalidParameters: return "Invalid HCI Command Parameters (\(code))"
    default: return "error \(code)"
    }
  }
}
