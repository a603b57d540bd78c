extension ATTPDU {
  /// Reads a PDU.
  ///
  /// - Throws: ``ATTProblem`` when the bytes do not have the form that their opcode demands; a
  ///   server answers it with Invalid PDU.
  public init(_ bytes: Span<UInt8>) throws(ATTProblem) {
    guard bytes.count > 0 else { throw ATTProblem(nil, "a PDU without an opcode") }
    let opcode = ATTOpcode(rawValue: bytes[0])
    let pdu: ATTPDU? =
      switch opcode {
      case .exchangeMTURequest, .exchangeMTUResponse, .readRequest, .readBlobRequest,
        .executeWriteRequest, .errorResponse:
        ATTPDU.fixed(opcode, bytes)
      case .writeResponse: bytes.count == 1 ? .writeResponse : nil
      case .executeWriteResponse: bytes.count == 1 ? .executeWriteResponse : nil
      case .handleValueConfirmation: bytes.count == 1 ? .handleValueConfirmation : nil
      case .readResponse: .readResponse(bytes.octets(from: 1))
      case .readBlobResponse: .readBlobResponse(bytes.octets(from: 1))
      case .readMultipleResponse: .readMultipleResponse(bytes.octets(from: 1))
      case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest,
        .readByGroupTypeRequest:
        ATTPDU.search(opcode, bytes)
      case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse,
        .readByGroupTypeResponse:
        ATTPDU.found(opcode, bytes)
      case .readMultipleRequest, .readMultipleVariableRequest, .readMultipleVariableResponse,
        .multipleHandleValueNotification:
        ATTPDU.multiple(opcode, bytes)
      case .writeRequest, .writeCommand, .signedWriteCommand, .handleValueNotification,
        .handleValueIndication, .prepareWriteRequest, .prepareWriteResponse:
        ATTPDU.value(opcode, bytes)
      default: .unknown(opcode, bytes.octets(from: 1))
      }
    guard let pdu else { throw ATTProblem(opcode, "\(bytes.count) bytes that do not fit") }
    self = pdu
  }

  /// What has one length only.
  private static func fixed(_ opcode: ATTOpcode, _ bytes: Span<UInt8>) -> ATTPDU? {
    switch (opcode, bytes.count) {
    case (.errorResponse, 5):
      // request, handle 2, error
      guard let handle = bytes.littleEndianWord(at: 2) else { return nil }
      return .errorResponse(
        request: ATTOpcode(rawValue: bytes[1]), handle: handle,
        error: ATTErrorCode(rawValue: bytes[4]))
    case (.exchangeMTURequest, 3):
      return bytes.littleEndianWord(at: 1).map { .exchangeMTURequest($0) }
    case (.exchangeMTUResponse, 3):
      return bytes.littleEndianWord(at: 1).map { .exchangeMTUResponse($0) }
    case (.readRequest, 3): return bytes.littleEndianWord(at: 1).map { .readRequest(handle: $0) }
    case (.readBlobRequest, 5):
      guard let handle = bytes.littleEndianWord(at: 1), let offset = bytes.littleEndianWord(at: 3)
      else { return nil }
      return .readBlobRequest(handle: handle, offset: offset)
    case (.executeWriteRequest, 2):
      return bytes[1] <= 1 ? .executeWriteRequest(write: bytes[1] == 1) : nil
    default: return nil
    }
  }

  /// Requests for a range of handles.
  private static func search(_ opcode: ATTOpcode, _ bytes: Span<UInt8>) -> ATTPDU? {
    guard let range = range(bytes, at: 1) else { return nil }
    switch opcode {
    case .findInformationRequest: return bytes.count == 5 ? .findInformationRequest(range) : nil
    case .findByTypeValueRequest:
      guard let type = bytes.littleEndianWord(at: 5) else { return nil }
      return .findByTypeValueRequest(range, type: type, value: bytes.octets(from: 7))
    default:
      // The type has 16 or 128 bits.
      guard bytes.count == 7 || bytes.count == 21,
        let type = BluetoothUUID(littleEndian: bytes, at: 5, width: bytes.count - 5)
      else { return nil }
      return opcode == .readByTypeRequest
        ? .readByTypeRequest(range, type: type) : .readByGroupTypeRequest(range, type: type)
    }
  }

  /// Their responses: lists of entries of one length, at least one.
  private static func found(_ opcode: ATTOpcode, _ bytes: Span<UInt8>) -> ATTPDU? {
    switch opcode {
    case .findInformationResponse:
      // format: 1 for 16-bit types, 2 for 128-bit ones
      guard bytes.count > 2, bytes[1] == 1 || bytes[1] == 2 else { return nil }
      let width = bytes[1] == 1 ? 2 : 16
      return entries(bytes, from: 2, of: 2 + width) { bytes, start in
        guard let handle = bytes.littleEndianWord(at: start),
          let type = BluetoothUUID(littleEndian: bytes, at: start + 2, width: width)
        else { return nil }
        return ATTAttributeType(handle: handle, type: type)
      }.map { .findInformationResponse($0) }
    case .findByTypeValueResponse:
      return entries(bytes, from: 1, of: 4) { range($0, at: $1) }
        .map { .findByTypeValueResponse($0) }
    case .readByTypeResponse:
      // length of an entry, then entries: handle 2, value
      guard bytes.count > 2, bytes[1] >= 2 else { return nil }
      let length = Int(bytes[1])
      return entries(bytes, from: 2, of: length) { bytes, start in
        bytes.littleEndianWord(at: start).map {
          ATTAttributeValue(handle: $0, value: bytes.octets(from: start + 2, limit: length - 2))
        }
      }.map { .readByTypeResponse($0) }
    default:
      // length of an entry, then entries: handles 2 and 2, value
      guard bytes.count > 2, bytes[1] >= 4 else { return nil }
      let length = Int(bytes[1])
      return entries(bytes, from: 2, of: length) { bytes, start in
        range(bytes, at: start).map {
          ATTAttributeGroup(
            handles: $0, value: bytes.octets(from: start + 4, limit: length - 4))
        }
      }.map { .readByGroupTypeResponse($0) }
    }
  }

  private static func entries<Entry>(
    _ bytes: Span<UInt8>, from start: Int, of length: Int,
    _ read: (Span<UInt8>, Int) -> Entry?
  ) -> [Entry]? {
    guard bytes.count > start, (bytes.count - start).isMultiple(of: length) else { return nil }
    var entries: [Entry] = []
    for position in stride(from: start, to: bytes.count, by: length) {
      guard let entry = read(bytes, position) else { return nil }
      entries.append(entry)
    }
    return entries
  }

  /// Lists of handles, and of values with their lengths.
  private static func multiple(_ opcode: ATTOpcode, _ bytes: Span<UInt8>) -> ATTPDU? {
    switch opcode {
    case .readMultipleRequest, .readMultipleVariableRequest:
      // At least two handles.
      guard bytes.count >= 5,
        let handles = entries(bytes, from: 1, of: 2, { $0.littleEndianWord(at: $1) })
      else { return nil }
      return opcode == .readMultipleRequest
        ? .readMultipleRequest(handles) : .readMultipleVariableRequest(handles)
    case .readMultipleVariableResponse:
      var values: [[UInt8]] = []
      var position = 1
      while position < bytes.count {
        guard let count = bytes.littleEndianWord(at: position) else { return nil }
        // A value that does not fit the PDU is cut off, and the last one.
        values.append(bytes.octets(from: position + 2, limit: Int(count)))
        position += 2 + Int(count)
      }
      return .readMultipleVariableResponse(values)
    default:
      var values: [ATTAttributeValue] = []
      var position = 1
      while position < bytes.count {
        guard let handle = bytes.littleEndianWord(at: position),
          let count = bytes.littleEndianWord(at: position + 2),
          bytes.count - position - 4 >= Int(count)
        else { return nil }
        let value = bytes.octets(from: position + 4, limit: Int(count))
        values.append(ATTAttributeValue(handle: handle, value: value))
        position += 4 + Int(count)
      }
      return values.isEmpty ? nil : .multipleHandleValueNotification(values)
    }
  }

  /// A handle and a value behind it.
  private static func value(_ opcode: ATTOpcode, _ bytes: Span<UInt8>) -> ATTPDU? {
    guard let handle = bytes.littleEndianWord(at: 1) else { return nil }
    let attribute = ATTAttributeValue(handle: handle, value: bytes.octets(from: 3))
    switch opcode {
    case .writeRequest: return .writeRequest(attribute)
    case .writeCommand: return .writeCommand(attribute)
    case .handleValueNotification: return .handleValueNotification(attribute)
    case .handleValueIndication: return .handleValueIndication(attribute)
    case .signedWriteCommand:
      let count = attribute.value.count - 12
      guard count >= 0 else { return nil }
      return .signedWriteCommand(
        ATTAttributeValue(handle: handle, value: Array(attribute.value[..<count])),
        signature: Array(attribute.value[count...]))
    default:
      guard let offset = bytes.littleEndianWord(at: 3) else { return nil }
      let part = ATTPreparedWrite(handle: handle, offset: offset, value: bytes.octets(from: 5))
      return opcode == .prepareWriteRequest
        ? .prepareWriteRequest(part) : .prepareWriteResponse(part)
    }
  }

  private static func range(_ bytes: Span<UInt8>, at offset: Int) -> ATTHandleRange? {
    guard let first = bytes.littleEndianWord(at: offset),
      let last = bytes.littleEndianWord(at: offset + 2)
    else { return nil }
    return ATTHandleRange(first, last)
  }
}
