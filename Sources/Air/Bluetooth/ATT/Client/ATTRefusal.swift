/// Answers the requests of a peer to a server that has no attributes.
enum ATTRefusal {
  /// The answer; nil when there is none.
  static func answer(_ pdu: ATTPDU) -> ATTPDU? {
    switch pdu {
    case .exchangeMTURequest: .exchangeMTUResponse(UInt16(ATTPDU.maximumMTU))
    case .findInformationRequest(let range), .findByTypeValueRequest(let range, _, _),
      .readByTypeRequest(let range, _), .readByGroupTypeRequest(let range, _):
      .errorResponse(
        request: pdu.opcode, handle: range.first,
        error: range.isValid ? .attributeNotFound : .invalidHandle)
    case .readRequest(let handle), .readBlobRequest(let handle, _): invalidHandle(pdu, handle)
    case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
      invalidHandle(pdu, handles.first ?? 0)
    case .writeRequest(let attribute): invalidHandle(pdu, attribute.handle)
    case .prepareWriteRequest(let part): invalidHandle(pdu, part.handle)
    case .executeWriteRequest: .executeWriteResponse
    case .unknown(let opcode, _) where !opcode.isCommand:
      .errorResponse(request: opcode, handle: 0, error: .requestNotSupported)
    // Commands, and confirmations of what was never indicated.
    default: nil
    }
  }

  private static func invalidHandle(_ pdu: ATTPDU, _ handle: UInt16) -> ATTPDU {
    .errorResponse(request: pdu.opcode, handle: handle, error: .invalidHandle)
  }

  /// The answer to a request that has not the form that it must have.
  static func invalid(_ opcode: ATTOpcode) -> ATTPDU {
    .errorResponse(request: opcode, handle: 0, error: .invalidPDU)
  }
}
