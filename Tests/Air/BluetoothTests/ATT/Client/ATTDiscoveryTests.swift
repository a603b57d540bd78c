import Testing

@testable import Bluetooth

@Suite struct ATTDiscoveryTests {
  private let notFound = ClientScript.notFound

  private func service(_ first: UInt16, _ last: UInt16, _ uuid: UInt16) -> ATTAttributeGroup {
    ATTAttributeGroup(handles: ATTHandleRange(first, last), value: uuid.octets)
  }

  /// A declaration: properties, handle of the value 2, UUID 2.
  private func declaration(
    _ handle: UInt16, _ value: UInt16, _ uuid: UInt16, _ properties: UInt8 = 0x02
  ) -> ATTAttributeValue {
    ATTAttributeValue(handle: handle, value: [properties] + value.octets + uuid.octets)
  }

  @Test func findsServicesAndCharacteristics() {
    let script = ClientScript()
    #expect(script.start(.discover) == [.exchangeMTURequest(517)])
    #expect(
      script.answer(.exchangeMTUResponse(185))
        == [.readByGroupTypeRequest(.all, type: .bit16(0x2800))])
    #expect(
      script.answer(.readByGroupTypeResponse([service(1, 5, 0x1800), service(8, 9, 0x1804)]))
        == [.readByGroupTypeRequest(ATTHandleRange(10, 0xFFFF), type: .bit16(0x2800))])
    let long = ATTAttributeGroup(
      handles: ATTHandleRange(20, 0xFFFF),
      value: BluetoothUUID.bit128(high: 1, low: 2).attributeOctets)
    // The last handle there is: nothing can follow.
    #expect(
      script.answer(.readByGroupTypeResponse([long]))
        == [.readByTypeRequest(ATTHandleRange(1, 0xFFFF), type: .bit16(0x2803))])
    #expect(
      script.answer(
        .readByTypeResponse([declaration(2, 3, 0x2A00), declaration(4, 5, 0x2A01, 0x0A)]))
        == [.readByTypeRequest(ATTHandleRange(5, 0xFFFF), type: .bit16(0x2803))])
    let wide = ATTAttributeValue(
      handle: 21,
      value: [0x20, 22, 0] + BluetoothUUID.bit128(high: 3, low: 4).attributeOctets)
    #expect(script.answer(.readByTypeResponse([wide])).count == 1)
    #expect(script.answer(notFound(.readByTypeRequest)) == [])
    let attributes = script.client.attributes
    #expect(script.result == .success(.attributes(attributes)))
    #expect(attributes.mtu == 185)
    let generic = BluetoothUUID.bit16(0x1800)
    #expect(
      attributes.characteristics == [
        GATTCharacteristic(service: generic, uuid: .bit16(0x2A00), properties: .read, handle: 3),
        GATTCharacteristic(
          service: generic, uuid: .bit16(0x2A01), properties: [.read, .write], handle: 5),
        GATTCharacteristic(
          service: .bit128(high: 1, low: 2), uuid: .bit128(high: 3, low: 4), properties: .indicate,
          handle: 22),
      ])
    #expect(attributes.ends == [3: 3, 5: 5, 22: 0xFFFF])
  }

  @Test(arguments: [(0, 23), (22, 23), (23, 23), (517, 517), (0xFFFF, 517)] as [(UInt16, Int)])
  func agreesOnAnMTU(_ peer: UInt16, _ agreed: Int) {
    #expect(ClientScript.discovered(mtu: peer).client.attributes.mtu == agreed)
  }

  @Test func doesWithoutAnotherMTU() {
    let script = ClientScript()
    script.start(.discover)
    let refused = ATTPDU.errorResponse(
      request: .exchangeMTURequest, handle: 0, error: .requestNotSupported)
    #expect(script.answer(refused).count == 1)
    script.answer(notFound(.readByGroupTypeRequest))
    #expect(script.client.attributes == ATTAttributes())
    #expect(script.error == nil && script.result != nil)
  }

  @Test func takesAUUIDInFullForItsShortForm() {
    let script = ClientScript()
    script.start(.discover)
    script.answer(.exchangeMTUResponse(23))
    let base = BluetoothUUID.bit128(high: 0x0000_1804_0000_1000, low: 0x8000_0080_5F9B_34FB)
    script.answer(
      .readByGroupTypeResponse([
        ATTAttributeGroup(handles: ATTHandleRange(1, 0xFFFF), value: base.attributeOctets)
      ]))
    script.answer(.readByTypeResponse([declaration(2, 3, 0x2A07)]))
    script.answer(notFound(.readByTypeRequest))
    #expect(script.client.attributes.characteristics.first?.service == .bit16(0x1804))
  }

  @Test func leavesOutWhatLiesInNoService() {
    let script = ClientScript()
    script.start(.discover)
    script.answer(.exchangeMTUResponse(23))
    script.answer(.readByGroupTypeResponse([service(1, 3, 0x1800), service(10, 12, 0x1804)]))
    script.answer(notFound(.readByGroupTypeRequest))
    // A secondary service lies between.
    script.answer(.readByTypeResponse([declaration(5, 6, 0x2A00), declaration(11, 12, 0x2A07)]))
    script.answer(notFound(.readByTypeRequest))
    #expect(script.client.attributes.characteristics.map(\.handle) == [12])
  }

  private func malformed(_ services: [ATTAttributeGroup]) -> Bool {
    let script = ClientScript()
    script.start(.discover)
    script.answer(.exchangeMTUResponse(23))
    let sent = script.answer(.readByGroupTypeResponse(services))
    return sent.isEmpty && script.error?.kind == .malformed && script.closed?.kind == .malformed
  }

  @Test func refusesServicesThatDoNotAscend() {
    #expect(malformed([service(5, 4, 0x1800)]))
    #expect(malformed([service(0, 4, 0x1800)]))
    #expect(malformed([service(5, 9, 0x1800), service(9, 12, 0x1804)]))
    #expect(malformed([service(5, 9, 0x1800), service(1, 4, 0x1804)]))
    #expect(malformed([ATTAttributeGroup(handles: ATTHandleRange(1, 2), value: [1, 2, 3, 4])]))
    #expect(malformed([ATTAttributeGroup(handles: ATTHandleRange(1, 2), value: [])]))
  }

  @Test func refusesTheSameServiceAgain() {
    let script = ClientScript()
    script.start(.discover)
    script.answer(.exchangeMTUResponse(23))
    #expect(script.answer(.readByGroupTypeResponse([service(1, 5, 0x1800)])).count == 1)
    #expect(script.answer(.readByGroupTypeResponse([service(1, 5, 0x1800)])) == [])
    #expect(script.error?.kind == .malformed)
    #expect(script.error?.operation == "discover")
  }

  @Test(
    arguments: [
      // behind the first declaration at 2 with the value 3, in the service 1 to 9
      (2, 4), (1, 4), (4, 4), (4, 3), (4, 10), (4, 0),
    ] as [(UInt16, UInt16)])
  func refusesCharacteristicsThatDoNotAscend(_ handle: UInt16, _ value: UInt16) {
    let script = ClientScript()
    script.start(.discover)
    script.answer(.exchangeMTUResponse(23))
    script.answer(.readByGroupTypeResponse([service(1, 9, 0x1800)]))
    script.answer(notFound(.readByGroupTypeRequest))
    script.answer(
      .readByTypeResponse([declaration(2, 3, 0x2A00), declaration(handle, value, 0x2A01)]))
    #expect(script.error?.kind == .malformed)
  }

  @Test func refusesShortDeclarations() {
    for value: [UInt8] in [[], [2], [2, 3, 0], [2, 3, 0, 1], [2, 3, 0, 1, 2, 3]] {
      let script = ClientScript()
      script.start(.discover)
      script.answer(.exchangeMTUResponse(23))
      script.answer(.readByGroupTypeResponse([service(1, 9, 0x1800)]))
      script.answer(notFound(.readByGroupTypeRequest))
      script.answer(.readByTypeResponse([ATTAttributeValue(handle: 2, value: value)]))
      #expect(script.error?.kind == .malformed)
    }
  }

  /// A peer that makes up a new service for every request comes to the end of the handles.
  @Test func comesToAnEnd() {
    let script = ClientScript()
    script.start(.discover)
    var requests = script.answer(.exchangeMTUResponse(517))
    var count = 0
    while let request = requests.first, script.result == nil {
      count += 1
      switch request {
      case .readByGroupTypeRequest(let range, _):
        requests = script.answer(
          .readByGroupTypeResponse([service(range.first, range.first, 0x1800)]))
      case .readByTypeRequest(let range, _):
        guard range.first < range.last else {
          requests = script.answer(notFound(.readByTypeRequest))
          continue
        }
        requests = script.answer(
          .readByTypeResponse([declaration(range.first, range.first + 1, 0x2A00)]))
      default: Issue.record("\(request)")
      }
      guard count < 200_000 else { break }
    }
    #expect(script.result != nil)
  }

  @Test func passesOnRefusals() {
    let script = ClientScript()
    script.start(.discover)
    script.answer(.exchangeMTUResponse(23))
    script.answer(
      .errorResponse(
        request: .readByGroupTypeRequest, handle: 1, error: .insufficientEncryption))
    #expect(script.error?.kind == .refused)
    #expect(script.error?.attributeError == 0x0F)
    #expect(script.closed == nil)
  }
}
