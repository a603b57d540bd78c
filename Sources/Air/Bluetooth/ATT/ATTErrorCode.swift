/// Why a server does not do what was asked (Core Specification, Vol 3, Part F, 3.4.1.1; the common
/// profile codes are in the Supplement, Part B, 1.2).
public struct ATTErrorCode: RawRepresentable, Hashable, Sendable {
  /// As it stands in an Error Response: 0x80 to 0x9F are a service's own.
  public let rawValue: UInt8

  /// An error from its code.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The handle is not one of this server.
  public static let invalidHandle = ATTErrorCode(rawValue: 0x01)
  /// The attribute cannot be read.
  public static let readNotPermitted = ATTErrorCode(rawValue: 0x02)
  /// The attribute cannot be written.
  public static let writeNotPermitted = ATTErrorCode(rawValue: 0x03)
  /// The PDU is not what the specification allows.
  public static let invalidPDU = ATTErrorCode(rawValue: 0x04)
  /// The attribute wants a link with an authenticated key.
  public static let insufficientAuthentication = ATTErrorCode(rawValue: 0x05)
  /// The server does not do this at all.
  public static let requestNotSupported = ATTErrorCode(rawValue: 0x06)
  /// The offset lies behind the end of the value.
  public static let invalidOffset = ATTErrorCode(rawValue: 0x07)
  /// The client may not do this.
  public static let insufficientAuthorization = ATTErrorCode(rawValue: 0x08)
  /// Too many writes were prepared.
  public static let prepareQueueFull = ATTErrorCode(rawValue: 0x09)
  /// There is no such attribute in the range of handles.
  public static let attributeNotFound = ATTErrorCode(rawValue: 0x0A)
  /// The value fits one PDU and cannot be read piece by piece.
  public static let attributeNotLong = ATTErrorCode(rawValue: 0x0B)
  /// The key of the link is too short.
  public static let encryptionKeySizeTooShort = ATTErrorCode(rawValue: 0x0C)
  /// The value has a length that the attribute does not take.
  public static let invalidAttributeValueLength = ATTErrorCode(rawValue: 0x0D)
  /// Something unlikely went wrong.
  public static let unlikelyError = ATTErrorCode(rawValue: 0x0E)
  /// The attribute wants an encrypted link.
  public static let insufficientEncryption = ATTErrorCode(rawValue: 0x0F)
  /// The type is not one that groups attributes.
  public static let unsupportedGroupType = ATTErrorCode(rawValue: 0x10)
  /// The server has not enough memory for it.
  public static let insufficientResources = ATTErrorCode(rawValue: 0x11)
  /// The server's attributes have changed.
  public static let databaseOutOfSync = ATTErrorCode(rawValue: 0x12)
  /// The attribute does not take this value.
  public static let valueNotAllowed = ATTErrorCode(rawValue: 0x13)
  /// Common profile code: the write is refused.
  public static let writeRequestRejected = ATTErrorCode(rawValue: 0xFC)
  /// Common profile code: the client characteristic configuration is not set as needed.
  public static let cccdImproperlyConfigured = ATTErrorCode(rawValue: 0xFD)
  /// Common profile code: the procedure is already under way.
  public static let procedureAlreadyInProgress = ATTErrorCode(rawValue: 0xFE)
  /// Common profile code: the value is out of range.
  public static let outOfRange = ATTErrorCode(rawValue: 0xFF)

  /// Whether it belongs to the service and not to the protocol (0x80 to 0x9F).
  public var isApplicationError: Bool { 0x80...0x9F ~= rawValue }

  /// Whether pairing would mend it.
  public var asksForPairing: Bool {
    switch self {
    case .insufficientAuthentication, .insufficientEncryption, .encryptionKeySizeTooShort: true
    default: false
    }
  }

  private var name: StaticString? {
    switch self {
    case .invalidHandle: "Invalid Handle"
    case .readNotPermitted: "Read Not Permitted"
    case .writeNotPermitted: "Write Not Permitted"
    case .invalidPDU: "Invalid PDU"
    case .insufficientAuthentication: "Insufficient Authentication"
    case .requestNotSupported: "Request Not Supported"
    case .invalidOffset: "Invalid Offset"
    case .insufficientAuthorization: "Insufficient Authorization"
    case .prepareQueueFull: "Prepare Queue Full"
    case .attributeNotFound: "Attribute Not Found"
    case .attributeNotLong: "Attribute Not Long"
    case .encryptionKeySizeTooShort: "Encryption Key Size Too Short"
    case .invalidAttributeValueLength: "Invalid Attribute Value Length"
    case .unlikelyError: "Unlikely Error"
    case .insufficientEncryption: "Insufficient Encryption"
    case .unsupportedGroupType: "Unsupported Group Type"
    case .insufficientResources: "Insufficient Resources"
    case .databaseOutOfSync: "Database Out Of Sync"
    case .valueNotAllowed: "Value Not Allowed"
    case .writeRequestRejected: "Write Request Rejected"
    case .cccdImproperlyConfigured:
      "Client Characteristic Configuration Descriptor Improperly Configured"
    case .procedureAlreadyInProgress: "Procedure Already In Progress"
    case .outOfRange: "Out Of Range"
    default: isApplicationError ? "Application Error" : nil
    }
  }
}

extension ATTErrorCode: CustomStringConvertible {
  /// The name in the specification where it has one, and the code.
  public var description: String {
    let code = "0x" + Hex.upper(rawValue)
    return name.map { "\($0) (\(code))" } ?? "error \(code)"
  }
}
