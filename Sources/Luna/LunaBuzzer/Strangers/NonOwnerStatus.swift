/// ResponseStatus of Command_Response (draft-ietf-dult-accessory-protocol-00, "Command Response").
public struct NonOwnerStatus: RawRepresentable, Hashable, Sendable {
  /// The number of the draft, or another one that an accessory gave.
  public let rawValue: UInt16

  /// A status with a number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Success.
  public static let success = NonOwnerStatus(rawValue: 0x0000)
  /// Invalid_state: it sounds already, or does not because of this connection.
  public static let invalidState = NonOwnerStatus(rawValue: 0x0001)
  /// Invalid_configuration.
  public static let invalidConfiguration = NonOwnerStatus(rawValue: 0x0002)
  /// Invalid_length.
  public static let invalidLength = NonOwnerStatus(rawValue: 0x0003)
  /// Invalid_param.
  public static let invalidParameter = NonOwnerStatus(rawValue: 0x0004)
  /// Invalid_command: not known, or not available in the state that it is in.
  public static let invalidCommand = NonOwnerStatus(rawValue: 0xFFFF)
}

extension NonOwnerStatus: CustomStringConvertible {
  /// The name in the draft, or the number.
  public var description: String {
    switch self {
    case .success: return "Success"
    case .invalidState: return "Invalid_state"
    case .invalidConfiguration: return "Invalid_configuration"
    case .invalidLength: return "Invalid_length"
    case .invalidParameter: return "Invalid_param"
    case .invalidCommand: return "Invalid_command"
    default:
      let digits = String(rawValue, radix: 16, uppercase: true)
      return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
