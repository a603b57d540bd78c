import Testing

@testable import Bluetooth

@Suite struct ATTPDUTests {
  /// Every PDU that the specification defines, with its bytes.
  static let examples: [(ATTPDU, [UInt8])] = [
    // request, handle 2, error
    (
      .errorResponse(request: .readRequest, handle: 0x0102, error: .invalidHandle),
      [0x01, 0x0A, 0x02, 0x01, 0x01]
    ),
    (.exchangeMTURequest(517), [0x02, 0x05, 0x02]),
    (.exchangeMTUResponse(23), [0x03, 0x17, 0x00]),
    (.findInformationRequest(ATTHandleRange(3, 0xFFFF)), [0x04, 0x03, 0x00, 0xFF, 0xFF]),
    // format 1: handle 2, type 2
    (
      .findInformationResponse([
        ATTAttributeType(handle: 3, type: .bit16(0x2902)),
        ATTAttributeType(handle: 4, type: .bit16(0x2901)),
      ]), [0x05, 0x01, 0x03, 0x00, 0x02, 0x29, 0x04, 0x00, 0x01, 0x29]
    ),
    // format 2: handle 2, type 16
    (
      .findInformationResponse([
        ATTAttributeType(
          handle: 3, type: .bit128(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10))
      ]),
      [
        0x05, 0x02, 0x03, 0x00, 0x10, 0x0F, 0x0E, 0x0D, 0x0C, 0x0B, 0x0A, 0x09, 0x08, 0x07, 0x06,
        0x05, 0x04, 0x03, 0x02, 0x01,
      ]
    ),
    (
      .findByTypeValueRequest(.all, type: 0x2800, value: [0x04, 0x18]),
      [0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28, 0x04, 0x18]
    ),
    (
      .findByTypeValueResponse([ATTHandleRange(1, 3), ATTHandleRange(9, 12)]),
      [0x07, 0x01, 0x00, 0x03, 0x00, 0x09, 0x00, 0x0C, 0x00]
    ),
    (
      .readByTypeRequest(ATTHandleRange(1, 9), type: .bit16(0x2803)),
      [0x08, 0x01, 0x00, 0x09, 0x00, 0x03, 0x28]
    ),
    // length of an entry, handle 2, value
    (
      .readByTypeResponse([
        ATTAttributeValue(handle: 2, value: [0xAA]), ATTAttributeValue(handle: 5, value: [0xBB]),
      ]), [0x09, 0x03, 0x02, 0x00, 0xAA, 0x05, 0x00, 0xBB]
    ),
    (.readRequest(handle: 0x1234), [0x0A, 0x34, 0x12]),
    (.readResponse([]), [0x0B]),
    (.readResponse([1, 2]), [0x0B, 1, 2]),
    (.readBlobRequest(handle: 3, offset: 22), [0x0C, 0x03, 0x00, 0x16, 0x00]),
    (.readBlobResponse([]), [0x0D]),
    (.readMultipleRequest([1, 2]), [0x0E, 0x01, 0x00, 0x02, 0x00]),
    (.readMultipleResponse([9]), [0x0F, 9]),
    (
      .readByGroupTypeRequest(.all, type: .bit16(0x2800)),
      [0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28]
    ),
    // length of an entry, handles 2 and 2, value
    (
      .readByGroupTypeResponse([
        ATTAttributeGroup(handles: ATTHandleRange(1, 5), value: [0x04, 0x18])
      ]), [0x11, 0x06, 0x01, 0x00, 0x05, 0x00, 0x04, 0x18]
    ),
    (.writeRequest(ATTAttributeValue(handle: 3, value: [])), [0x12, 0x03, 0x00]),
    (.writeResponse, [0x13]),
    (
      .prepareWriteRequest(ATTPreparedWrite(handle: 3, offset: 0x0102, value: [7])),
      [0x16, 0x03, 0x00, 0x02, 0x01, 0x07]
    ),
    (
      .prepareWriteResponse(ATTPreparedWrite(handle: 3, offset: 0, value: [])),
      [0x17, 0x03, 0x00, 0x00, 0x00]
    ),
    (.executeWriteRequest(write: true), [0x18, 0x01]),
    (.executeWriteRequest(write: false), [0x18, 0x00]),
    (.executeWriteResponse, [0x19]),
    (.handleValueNotification(ATTAttributeValue(handle: 3, value: [1])), [0x1B, 0x03, 0x00, 0x01]),
    (.handleValueIndication(ATTAttributeValue(handle: 3, value: [1])), [0x1D, 0x03, 0x00, 0x01]),
    (.handleValueConfirmation, [0x1E]),
    (.readMultipleVariableRequest([1, 2]), [0x20, 0x01, 0x00, 0x02, 0x00]),
    (.readMultipleVariableResponse([[1], []]), [0x21, 0x01, 0x00, 0x01, 0x00, 0x00]),
    (
      .multipleHandleValueNotification([
        ATTAttributeValue(handle: 3, value: [1]), ATTAttributeValue(handle: 4, value: []),
      ]), [0x23, 0x03, 0x00, 0x01, 0x00, 0x01, 0x04, 0x00, 0x00, 0x00]
    ),
    (.writeCommand(ATTAttributeValue(handle: 3, value: [1])), [0x52, 0x03, 0x00, 0x01]),
    (
      .signedWriteCommand(
        ATTAttributeValue(handle: 3, value: [9]), signature: [UInt8](repeating: 5, count: 12)),
      [0xD2, 0x03, 0x00, 9] + [UInt8](repeating: 5, count: 12)
    ),
    (.unknown(ATTOpcode(rawValue: 0x7F), [1, 2]), [0x7F, 1, 2]),
  ]

  /// Spans cannot be captured by #expect.
  private func read(_ bytes: [UInt8]) throws(ATTProblem) -> ATTPDU { try ATTPDU(bytes.span) }

  @Test(arguments: examples)
  func readsAndWritesEveryPDU(_ pdu: ATTPDU, _ bytes: [UInt8]) throws {
    #expect(pdu.bytes == bytes)
    let read = try read(bytes)
    #expect(read == pdu)
    #expect(read.opcode.rawValue == bytes[0])
  }

  @Test(
    arguments: [
      [], [0x01], [0x01, 0x0A, 0x02, 0x01], [0x01, 0x0A, 0x02, 0x01, 0x01, 0x00], [0x02, 0x17],
      [0x03, 0x17, 0x00, 0x00], [0x04, 0x01, 0x00, 0xFF], [0x05, 0x01],
      [0x05, 0x03, 0x01, 0x00, 0x02, 0x29],  // a format that there is not
      [0x05, 0x01, 0x03, 0x00, 0x02],  // half an entry
      [0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00], [0x07], [0x07, 0x01, 0x00, 0x03],
      [0x08, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28, 0x00, 0x00],  // a type of 32 bits
      [0x09], [0x09, 0x00], [0x09, 0x00, 0x01], [0x09, 0x01, 0x01], [0x09, 0x02],
      [0x09, 0x03, 0x02, 0x00, 0xAA, 0x05, 0x00], [0x0A, 0x01], [0x0C, 0x01, 0x00, 0x00],
      [0x0E, 0x01, 0x00],  // one handle only
      [0x11, 0x03, 0x01, 0x00, 0x05], [0x11, 0x06, 0x01, 0x00, 0x05, 0x00, 0x04],
      [0x12, 0x01], [0x13, 0x00], [0x16, 0x03, 0x00, 0x00], [0x18], [0x18, 0x02], [0x19, 0x00],
      [0x1B, 0x03], [0x1D], [0x1E, 0x00], [0x21, 0x01], [0x23],
      [0x23, 0x03, 0x00, 0x02, 0x00, 0x01],  // a value beyond the end
      [0x52], [0xD2, 0x03, 0x00, 1, 2, 3],
    ] as [[UInt8]])
  func refusesADifferentForm(_ bytes: [UInt8]) {
    #expect(throws: ATTProblem.self) { try read(bytes) }
    do throws(ATTProblem) { _ = try read(bytes) } catch {
      #expect(error.opcode?.rawValue == bytes.first)
    }
  }

  @Test func keepsAValueThatWasCutOff() throws {
    // length 4, of which 2 bytes fitted
    let pdu = try read([0x21, 0x04, 0x00, 0x01, 0x02])
    #expect(pdu == .readMultipleVariableResponse([[1, 2]]))
  }

  @Test func neverTraps() {
    for (_, bytes) in ATTPDUTests.examples {
      for count in 0...bytes.count { _ = try? read(Array(bytes.prefix(count))) }
      for position in bytes.indices {
        for value: UInt8 in [0, 1, 2, 0x7F, 0xFF] {
          var changed = bytes
          changed[position] = value
          if let pdu = try? read(changed) { #expect(pdu.bytes.first == changed[0]) }
        }
      }
    }
  }

  @Test func leavesOutEntriesOfAnotherLength() {
    let pdu = ATTPDU.readByTypeResponse([
      ATTAttributeValue(handle: 2, value: [0xAA]), ATTAttributeValue(handle: 5, value: [1, 2]),
    ])
    #expect(pdu.bytes == [0x09, 0x03, 0x02, 0x00, 0xAA])
  }

  @Test func writes32BitTypesInFull() {
    let pdu = ATTPDU.readByTypeRequest(.all, type: .bit32(0x0001_2345))
    #expect(
      pdu.bytes == [
        0x08, 0x01, 0x00, 0xFF, 0xFF, 0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10,
        0x00, 0x00, 0x45, 0x23, 0x01, 0x00,
      ])
  }

  @Test func knowsRequestsCommandsAndAnswers() {
    #expect(ATTOpcode.readRequest.response == .readResponse)
    #expect(ATTOpcode.executeWriteRequest.response == .executeWriteResponse)
    #expect(ATTOpcode.readMultipleVariableRequest.response == .readMultipleVariableResponse)
    #expect(ATTOpcode.handleValueIndication.response == nil)
    #expect(ATTOpcode.writeCommand.response == nil)
    #expect(ATTOpcode.writeCommand.isCommand && ATTOpcode.signedWriteCommand.isCommand)
    #expect(!ATTOpcode.writeRequest.isCommand)
    for opcode in (0...0x23 as ClosedRange<UInt8>).map(ATTOpcode.init(rawValue:)) {
      if let response = opcode.response {
        #expect(response.isFromServer && !opcode.isFromServer)
      }
    }
    #expect(ATTOpcode.handleValueIndication.isFromServer)
    #expect(!ATTOpcode.handleValueConfirmation.isFromServer)
    #expect(!ATTOpcode.writeCommand.isFromServer)
  }

  @Test func namesThem() {
    #expect(ATTOpcode.readByGroupTypeRequest.description == "Read By Group Type Request")
    #expect(ATTOpcode(rawValue: 0x55).description == "PDU 0x55")
    #expect(ATTErrorCode.attributeNotFound.description == "Attribute Not Found (0x0A)")
    #expect(ATTErrorCode(rawValue: 0x81).description == "Application Error (0x81)")
    #expect(ATTErrorCode(rawValue: 0x40).description == "error 0x40")
    #expect(ATTErrorCode.insufficientEncryption.asksForPairing)
    #expect(!ATTErrorCode.invalidHandle.asksForPairing)
  }
}
