/// A packet of the Attribute Protocol (Core Specification, Vol 3, Part F, 3.4), in either direction.
/// Handles and lengths are what the peer sent; only the form is checked.
public enum ATTPDU: Hashable, Sendable {
  /// A request was not carried out.
  case errorResponse(request: ATTOpcode, handle: UInt16, error: ATTErrorCode)
  /// The client's largest PDU.
  case exchangeMTURequest(UInt16)
  /// The server's largest PDU.
  case exchangeMTUResponse(UInt16)
  /// Asks for the types of attributes.
  case findInformationRequest(ATTHandleRange)
  /// Types, all of them 16 bits wide or all of them 128.
  case findInformationResponse([ATTAttributeType])
  /// Asks for the attributes of a type and a value.
  case findByTypeValueRequest(ATTHandleRange, type: UInt16, value: [UInt8])
  /// The attributes, each with the end of its group.
  case findByTypeValueResponse([ATTHandleRange])
  /// Asks for the values of the attributes of a type.
  case readByTypeRequest(ATTHandleRange, type: BluetoothUUID)
  /// Values, all of one length.
  case readByTypeResponse([ATTAttributeValue])
  /// Asks for a value from its beginning.
  case readRequest(handle: UInt16)
  /// The value, as much as fits.
  case readResponse([UInt8])
  /// Asks for a value from an offset on.
  case readBlobRequest(handle: UInt16, offset: UInt16)
  /// The value from the offset on, as much as fits.
  case readBlobResponse([UInt8])
  /// Asks for several values of known length.
  case readMultipleRequest([UInt16])
  /// The values, one behind the other.
  case readMultipleResponse([UInt8])
  /// Asks for groups of a type, such as services.
  case readByGroupTypeRequest(ATTHandleRange, type: BluetoothUUID)
  /// Groups, their values all of one length.
  case readByGroupTypeResponse([ATTAttributeGroup])
  /// Asks to write a value.
  case writeRequest(ATTAttributeValue)
  /// It was written.
  case writeResponse
  /// Asks to keep a part of a value.
  case prepareWriteRequest(ATTPreparedWrite)
  /// It is kept; a copy of the request.
  case prepareWriteResponse(ATTPreparedWrite)
  /// Asks to write what was kept, or to forget it.
  case executeWriteRequest(write: Bool)
  /// It was written or forgotten.
  case executeWriteResponse
  /// A new value.
  case handleValueNotification(ATTAttributeValue)
  /// A new value, which the client confirms.
  case handleValueIndication(ATTAttributeValue)
  /// The value was received.
  case handleValueConfirmation
  /// Asks for several values of any length.
  case readMultipleVariableRequest([UInt16])
  /// The values, each with its length; the last may be cut off.
  case readMultipleVariableResponse([[UInt8]])
  /// Several new values.
  case multipleHandleValueNotification([ATTAttributeValue])
  /// Writes a value; nobody answers.
  case writeCommand(ATTAttributeValue)
  /// Writes a value, with a signature of 12 bytes; nobody answers.
  case signedWriteCommand(ATTAttributeValue, signature: [UInt8])
  /// What the specification does not define.
  case unknown(ATTOpcode, [UInt8])

  /// The ATT_MTU of every link until another is agreed on (Vol 3, Part G, 5.2.1).
  public static let defaultMTU = 23
  /// The largest ATT_MTU that makes sense: the longest value and the longest header, a Prepare Write
  /// Request's, but for one byte (BlueZ and Android use the same).
  public static let maximumMTU = 517
  /// The longest value of an attribute (Vol 3, Part F, 3.2.9).
  public static let longestValue = 512
}
