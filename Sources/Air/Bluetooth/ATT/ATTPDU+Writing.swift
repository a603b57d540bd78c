extension ATTPDU {
  /// The octet that it begins with.
  public var opcode: ATTOpcode {
    switch self {
    case .errorResponse: .errorResponse
    case .exchangeMTURequest: .exchangeMTURequest
    case .exchangeMTUResponse: .exchangeMTUResponse
    case .findInformationRequest: .findInformationRequest
    case .findInformationResponse: .findInformationResponse
    case .findByTypeValueRequest: .findByTypeValueRequest
    case .findByTypeValueResponse: .findByTypeValueResponse
    case .readByTypeRequest: .readByTypeRequest
    case .readByTypeResponse: .readByTypeResponse
    case .readRequest: .readRequest
    case .readResponse: .readResponse
    case .readBlobRequest: .readBlobRequest
    case .readBlobResponse: .readBlobResponse
    case .readMultipleRequest: .readMultipleRequest
    case .readMultipleResponse: .readMultipleResponse
    case .readByGroupTypeRequest: .readByGroupTypeRequest
    case .readByGroupTypeResponse: .readByGroupTypeResponse
    case .writeRequest: .writeRequest
    case .writeResponse: .writeResponse
    case .prepareWriteRequest: .prepareWriteRequest
    case .prepareWriteResponse: .prepareWriteResponse
    case .executeWriteRequest: .executeWriteRequest
    case .executeWriteResponse: .executeWriteResponse
    case .handleValueNotification: .handleValueNotification
    case .handleValueIndication: .handleValueIndication
    case .handleValueConfirmation: .handleValueConfirmation
    case .readMultipleVariableRequest: .readMultipleVariableRequest
    case .readMultipleVariableResponse: .readMultipleVariableResponse
    case .multipleHandleValueNotification: .multipleHandleValueNotification
    case .writeCommand: .writeCommand
    case .signedWriteCommand: .signedWriteCommand
    case .unknown(let opcode, _): opcode
    }
  }

  /// The bytes. Entries of a list whose length differs from the first one's are left out: a response
  /// has room for one length only. Whether the PDU fits the ATT_MTU is up to the caller.
  public var bytes: [UInt8] { [opcode.rawValue] + parameters }

  private var parameters: [UInt8] {
    switch self {
    case .errorResponse(let request, let handle, let error):
      [request.rawValue] + handle.octets + [error.rawValue]
    case .exchangeMTURequest(let mtu), .exchangeMTUResponse(let mtu): mtu.octets
    case .findInformationRequest(let range): range.octets
    case .findInformationResponse(let types): ATTPDU.list(types)
    case .findByTypeValueRequest(let range, let type, let value):
      range.octets + type.octets + value
    case .findByTypeValueResponse(let ranges): ranges.flatMap { $0.octets }
    case .readByTypeRequest(let range, let type), .readByGroupTypeRequest(let range, let type):
      // A PDU has no room for 32 bits (Vol 3, Part F, 3.2.1).
      range.octets + type.attributeOctets
    case .readByTypeResponse(let values):
      ATTPDU.list(values.map { $0.handle.octets + $0.value })
    case .readByGroupTypeResponse(let groups):
      ATTPDU.list(groups.map { $0.handles.octets + $0.value })
    case .readRequest(let handle): handle.octets
    case .readResponse(let value), .readBlobResponse(let value), .readMultipleResponse(let value):
      value
    case .readBlobRequest(let handle, let offset): handle.octets + offset.octets
    case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
      handles.flatMap { $0.octets }
    case .writeResponse, .executeWriteResponse, .handleValueConfirmation: []
    case .prepareWriteRequest(let part), .prepareWriteResponse(let part):
      part.handle.octets + part.offset.octets + part.value
    case .executeWriteRequest(let write): [write ? 1 : 0]
    case .readMultipleVariableResponse(let values):
      values.flatMap { UInt16(clamping: $0.count).octets + $0 }
    case .multipleHandleValueNotification(let values):
      values.flatMap { $0.handle.octets + UInt16(clamping: $0.value.count).octets + $0.value }
    case .writeRequest(let attribute), .writeCommand(let attribute),
      .handleValueNotification(let attribute), .handleValueIndication(let attribute):
      attribute.handle.octets + attribute.value
    case .signedWriteCommand(let attribute, let signature):
      attribute.handle.octets + attribute.value + signature
    case .unknown(_, let bytes): bytes
    }
  }

  /// A format and the entries of one width.
  private static func list(_ types: [ATTAttributeType]) -> [UInt8] {
    guard let width = types.first?.type.attributeOctets.count else { return [] }
    return [width == 2 ? 1 : 2]
      + types.filter { $0.type.attributeOctets.count == width }
      .flatMap { $0.handle.octets + $0.type.attributeOctets }
  }

  /// The length of an entry and the entries of that length.
  private static func list(_ entries: [[UInt8]]) -> [UInt8] {
    guard let length = entries.first?.count else { return [] }
    return [UInt8(clamping: length)] + entries.filter { $0.count == length }.flatMap { $0 }
  }
}

extension ATTHandleRange {
  fileprivate var octets: [UInt8] { first.octets + last.octets }
}
