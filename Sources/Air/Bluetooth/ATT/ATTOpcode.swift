/// What an ATT PDU is (Core Specification, Vol 3, Part F, 3.4.8; each with its section there). Values
/// that the specification does not define are kept as they came.
public struct ATTOpcode: RawRepresentable, Hashable, Sendable {
  /// The octet: method (bits 0 to 5), command flag (bit 6), authentication signature flag (bit 7).
  public let rawValue: UInt8

  /// An opcode from its octet.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// ATT_ERROR_RSP (3.4.1.1).
  public static let errorResponse = ATTOpcode(rawValue: 0x01)
  /// ATT_EXCHANGE_MTU_REQ (3.4.2.1).
  public static let exchangeMTURequest = ATTOpcode(rawValue: 0x02)
  /// ATT_EXCHANGE_MTU_RSP (3.4.2.2).
  public static let exchangeMTUResponse = ATTOpcode(rawValue: 0x03)
  /// ATT_FIND_INFORMATION_REQ (3.4.3.1).
  public static let findInformationRequest = ATTOpcode(rawValue: 0x04)
  /// ATT_FIND_INFORMATION_RSP (3.4.3.2).
  public static let findInformationResponse = ATTOpcode(rawValue: 0x05)
  /// ATT_FIND_BY_TYPE_VALUE_REQ (3.4.3.3).
  public static let findByTypeValueRequest = ATTOpcode(rawValue: 0x06)
  /// ATT_FIND_BY_TYPE_VALUE_RSP (3.4.3.4).
  public static let findByTypeValueResponse = ATTOpcode(rawValue: 0x07)
  /// ATT_READ_BY_TYPE_REQ (3.4.4.1).
  public static let readByTypeRequest = ATTOpcode(rawValue: 0x08)
  /// ATT_READ_BY_TYPE_RSP (3.4.4.2).
  public static let readByTypeResponse = ATTOpcode(rawValue: 0x09)
  /// ATT_READ_REQ (3.4.4.3).
  public static let readRequest = ATTOpcode(rawValue: 0x0A)
  /// ATT_READ_RSP (3.4.4.4).
  public static let readResponse = ATTOpcode(rawValue: 0x0B)
  /// ATT_READ_BLOB_REQ (3.4.4.5).
  public static let readBlobRequest = ATTOpcode(rawValue: 0x0C)
  /// ATT_READ_BLOB_RSP (3.4.4.6).
  public static let readBlobResponse = ATTOpcode(rawValue: 0x0D)
  /// ATT_READ_MULTIPLE_REQ (3.4.4.7).
  public static let readMultipleRequest = ATTOpcode(rawValue: 0x0E)
  /// ATT_READ_MULTIPLE_RSP (3.4.4.8).
  public static let readMultipleResponse = ATTOpcode(rawValue: 0x0F)
  /// ATT_READ_BY_GROUP_TYPE_REQ (3.4.4.9).
  public static let readByGroupTypeRequest = ATTOpcode(rawValue: 0x10)
  /// ATT_READ_BY_GROUP_TYPE_RSP (3.4.4.10).
  public static let readByGroupTypeResponse = ATTOpcode(rawValue: 0x11)
  /// ATT_WRITE_REQ (3.4.5.1).
  public static let writeRequest = ATTOpcode(rawValue: 0x12)
  /// ATT_WRITE_RSP (3.4.5.2).
  public static let writeResponse = ATTOpcode(rawValue: 0x13)
  /// ATT_PREPARE_WRITE_REQ (3.4.6.1).
  public static let prepareWriteRequest = ATTOpcode(rawValue: 0x16)
  /// ATT_PREPARE_WRITE_RSP (3.4.6.2).
  public static let prepareWriteResponse = ATTOpcode(rawValue: 0x17)
  /// ATT_EXECUTE_WRITE_REQ (3.4.6.3).
  public static let executeWriteRequest = ATTOpcode(rawValue: 0x18)
  /// ATT_EXECUTE_WRITE_RSP (3.4.6.4).
  public static let executeWriteResponse = ATTOpcode(rawValue: 0x19)
  /// ATT_HANDLE_VALUE_NTF (3.4.7.1).
  public static let handleValueNotification = ATTOpcode(rawValue: 0x1B)
  /// ATT_HANDLE_VALUE_IND (3.4.7.2).
  public static let handleValueIndication = ATTOpcode(rawValue: 0x1D)
  /// ATT_HANDLE_VALUE_CFM (3.4.7.3).
  public static let handleValueConfirmation = ATTOpcode(rawValue: 0x1E)
  /// ATT_READ_MULTIPLE_VARIABLE_REQ (3.4.4.11).
  public static let readMultipleVariableRequest = ATTOpcode(rawValue: 0x20)
  /// ATT_READ_MULTIPLE_VARIABLE_RSP (3.4.4.12).
  public static let readMultipleVariableResponse = ATTOpcode(rawValue: 0x21)
  /// ATT_MULTIPLE_HANDLE_VALUE_NTF (3.4.7.4).
  public static let multipleHandleValueNotification = ATTOpcode(rawValue: 0x23)
  /// ATT_WRITE_CMD (3.4.5.3).
  public static let writeCommand = ATTOpcode(rawValue: 0x52)
  /// ATT_SIGNED_WRITE_CMD (3.4.5.4).
  public static let signedWriteCommand = ATTOpcode(rawValue: 0xD2)

  /// Whether it is a command, which nobody answers; one that is not known is ignored (3.3).
  public var isCommand: Bool { rawValue & 0x40 != 0 }

  /// The opcode of the response to a request; nil for what is not a request.
  public var response: ATTOpcode? {
    switch self {
    case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest,
      .readByTypeRequest, .readRequest, .readBlobRequest, .readMultipleRequest,
      .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest, .executeWriteRequest,
      .readMultipleVariableRequest:
      ATTOpcode(rawValue: rawValue + 1)
    default: nil
    }
  }

  /// Whether this side of the link sends it as an answer, or unasked, as a server: all that a
  /// client can get.
  public var isFromServer: Bool {
    switch self {
    case .errorResponse, .handleValueNotification, .handleValueIndication,
      .multipleHandleValueNotification:
      true
    // The responses have odd numbers.
    default: !isCommand && rawValue & 1 == 1 && rawValue <= 0x21
    }
  }

  private var name: StaticString? {
    switch self {
    case .errorResponse: "Error Response"
    case .exchangeMTURequest: "Exchange MTU Request"
    case .exchangeMTUResponse: "Exchange MTU Response"
    case .findInformationRequest: "Find Information Request"
    case .findInformationResponse: "Find Information Response"
    case .findByTypeValueRequest: "Find By Type Value Request"
    case .findByTypeValueResponse: "Find By Type Value Response"
    case .readByTypeRequest: "Read By Type Request"
    case .readByTypeResponse: "Read By Type Response"
    case .readRequest: "Read Request"
    case .readResponse: "Read Response"
    case .readBlobRequest: "Read Blob Request"
    case .readBlobResponse: "Read Blob Response"
    case .readMultipleRequest: "Read Multiple Request"
    case .readMultipleResponse: "Read Multiple Response"
    case .readByGroupTypeRequest: "Read By Group Type Request"
    case .readByGroupTypeResponse: "Read By Group Type Response"
    case .writeRequest: "Write Request"
    case .writeResponse: "Write Response"
    case .prepareWriteRequest: "Prepare Write Request"
    case .prepareWriteResponse: "Prepare Write Response"
    case .executeWriteRequest: "Execute Write Request"
    case .executeWriteResponse: "Execute Write Response"
    case .handleValueNotification: "Handle Value Notification"
    case .handleValueIndication: "Handle Value Indication"
    case .handleValueConfirmation: "Handle Value Confirmation"
    case .readMultipleVariableRequest: "Read Multiple Variable Request"
    case .readMultipleVariableResponse: "Read Multiple Variable Response"
    case .multipleHandleValueNotification: "Multiple Handle Value Notification"
    case .writeCommand: "Write Command"
    case .signedWriteCommand: "Signed Write Command"
    default: nil
    }
  }
}

extension ATTOpcode: CustomStringConvertible {
  /// The name in the specification, or the octet where it has none.
  public var description: String { name.map { "\($0)" } ?? "PDU 0x" + Hex.upper(rawValue) }
}
