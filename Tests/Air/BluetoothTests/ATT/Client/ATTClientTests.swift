import Diagnosis
import LunaTesting
import Testing

@testable import Bluetooth

@Suite struct ATTClientTests {
  @Test func readsAValue() {
    let script = ClientScript.discovered()
    #expect(script.start(.read(handle: 3)) == [.readRequest(handle: 3)])
    #expect(script.answer(.readResponse([1, 2, 3])) == [])
    #expect(script.value == [1, 2, 3])
  }

  @Test func readsALongValueByPieces() {
    let value = (0..<50).map { UInt8($0) }
    let script = ClientScript.discovered(mtu: 23)
    script.start(.read(handle: 3))
    #expect(
      script.answer(.readResponse(Array(value[..<22]))) == [.readBlobRequest(handle: 3, offset: 22)]
    )
    #expect(
      script.answer(.readBlobResponse(Array(value[22..<44])))
        == [.readBlobRequest(handle: 3, offset: 44)])
    #expect(script.answer(.readBlobResponse(Array(value[44...]))) == [])
    #expect(script.value == value)
  }

  @Test(arguments: [nil, .attributeNotLong, .invalidOffset] as [ATTErrorCode?])
  func readsAValueThatJustFillsAPDU(_ error: ATTErrorCode?) {
    let value = [UInt8](repeating: 7, count: 22)
    let script = ClientScript.discovered(mtu: 23)
    script.start(.read(handle: 3))
    #expect(script.answer(.readResponse(value)).count == 1)
    if let error {
      script.answer(.errorResponse(request: .readBlobRequest, handle: 3, error: error))
    } else {
      script.answer(.readBlobResponse([]))
    }
    #expect(script.value == value)
  }

  @Test func stopsAt512Bytes() {
    let script = ClientScript.discovered(mtu: 257)
    script.start(.read(handle: 3))
    script.answer(.readResponse([UInt8](repeating: 1, count: 256)))
    #expect(script.answer(.readBlobResponse([UInt8](repeating: 1, count: 256))) == [])
    #expect(script.value?.count == 512)
  }

  @Test func refusesAValueWithoutAnEnd() {
    let script = ClientScript.discovered(mtu: 23)
    script.start(.read(handle: 3))
    script.answer(.readResponse([UInt8](repeating: 1, count: 22)))
    var pieces = 0
    while script.result == nil, pieces < 100 {
      script.answer(.readBlobResponse([UInt8](repeating: 1, count: 22)))
      pieces += 1
    }
    #expect(script.error?.kind == .malformed)
    #expect(pieces == 23)
  }

  @Test func passesOnRefusals() {
    let script = ClientScript.discovered()
    script.start(.read(handle: 3))
    script.answer(.errorResponse(request: .readRequest, handle: 3, error: .readNotPermitted))
    #expect(script.error?.kind == .refused)
    #expect(script.error?.operation == "read")
    #expect(script.error?.attributeError == 0x02)
    #expect(script.error?.reason == "the peer answered Read Not Permitted (0x02)")
    #expect(script.closed == nil)
    #expect(script.start(.read(handle: 3)).count == 1)
  }

  @Test func writesAValue() {
    let script = ClientScript.discovered(mtu: 23)
    let value = [UInt8](repeating: 9, count: 20)
    #expect(
      script.start(.write(value, handle: 3))
        == [.writeRequest(ATTAttributeValue(handle: 3, value: value))])
    script.answer(.writeResponse)
    #expect(script.isDone)
  }

  /// The two pieces of a value of 30 bytes.
  private let value = (0..<30).map { UInt8($0) }
  private var first: ATTPreparedWrite {
    ATTPreparedWrite(handle: 3, offset: 0, value: Array(value[..<18]))
  }
  private var second: ATTPreparedWrite {
    ATTPreparedWrite(handle: 3, offset: 18, value: Array(value[18...]))
  }

  @Test func writesALongValueByPieces() {
    let script = ClientScript.discovered(mtu: 23)
    #expect(script.start(.write(value, handle: 3)) == [.prepareWriteRequest(first)])
    #expect(script.answer(.prepareWriteResponse(first)) == [.prepareWriteRequest(second)])
    #expect(script.answer(.prepareWriteResponse(second)) == [.executeWriteRequest(write: true)])
    #expect(script.result == nil)
    script.answer(.executeWriteResponse)
    #expect(script.isDone)
  }

  @Test func takesBackWhatArrivedDamaged() {
    for echo in [
      ATTPreparedWrite(handle: 3, offset: 0, value: [9] + value[1..<18]),
      ATTPreparedWrite(handle: 3, offset: 1, value: Array(value[..<18])),
      ATTPreparedWrite(handle: 4, offset: 0, value: Array(value[..<18])),
      ATTPreparedWrite(handle: 3, offset: 0, value: Array(value[..<17])),
    ] {
      let script = ClientScript.discovered(mtu: 23)
      script.start(.write(value, handle: 3))
      #expect(script.answer(.prepareWriteResponse(echo)) == [.executeWriteRequest(write: false)])
      #expect(script.result == nil)
      script.answer(.executeWriteResponse)
      #expect(script.error?.kind == .malformed)
    }
  }

  @Test func takesBackWhatIsRefused() {
    let script = ClientScript.discovered(mtu: 23)
    script.start(.write(value, handle: 3))
    script.answer(.prepareWriteResponse(first))
    let full = ATTPDU.errorResponse(
      request: .prepareWriteRequest, handle: 3, error: .prepareQueueFull)
    #expect(script.answer(full) == [.executeWriteRequest(write: false)])
    script.answer(.executeWriteResponse)
    #expect(script.error?.attributeError == 0x09)
    #expect(script.closed == nil)
  }

  @Test func tellsThatExecutingIsRefused() {
    let script = ClientScript.discovered(mtu: 23)
    script.start(.write(value, handle: 3))
    script.answer(.prepareWriteResponse(first))
    script.answer(.prepareWriteResponse(second))
    let refused = ATTPDU.errorResponse(
      request: .executeWriteRequest, handle: 3, error: .invalidAttributeValueLength)
    #expect(script.answer(refused) == [])
    #expect(script.error?.attributeError == 0x0D)
  }

  @Test func writesNothingThatIsTooLong() {
    let script = ClientScript.discovered(mtu: 517)
    #expect(script.start(.write([UInt8](repeating: 0, count: 512), handle: 3)).count == 1)
    script.answer(.writeResponse)
    #expect(script.start(.write([UInt8](repeating: 0, count: 513), handle: 3)) == [])
    #expect(script.error?.kind == .refused)
    #expect(script.start(.writeWithoutResponse([UInt8](repeating: 0, count: 515), handle: 3)) == [])
    #expect(script.error?.kind == .refused)
  }

  @Test func writesWithoutResponse() {
    let script = ClientScript.discovered(mtu: 23)
    let value = [UInt8](repeating: 1, count: 20)
    #expect(
      script.start(.writeWithoutResponse(value, handle: 3))
        == [.writeCommand(ATTAttributeValue(handle: 3, value: value))])
    #expect(script.isDone)
    #expect(!script.client.awaitsAnswer)
  }

  @Test(
    arguments: [
      ([.indicate, .notify], [2, 0]), ([.indicate], [2, 0]), ([.notify, .read], [1, 0]),
    ] as [(GATTCharacteristic.Properties, [UInt8])])
  func subscribes(_ properties: GATTCharacteristic.Properties, _ configuration: [UInt8]) {
    let script = ClientScript.discovered(properties: properties)
    let characteristic = script.client.attributes.characteristics[0]
    #expect(
      script.start(.subscribe(characteristic)) == [.findInformationRequest(ATTHandleRange(4, 6))])
    let other = ATTAttributeType(handle: 4, type: .bit16(0x2901))
    #expect(
      script.answer(.findInformationResponse([other]))
        == [.findInformationRequest(ATTHandleRange(5, 6))])
    let found = ATTAttributeType(handle: 5, type: .bit16(0x2902))
    #expect(
      script.answer(.findInformationResponse([found]))
        == [.writeRequest(ATTAttributeValue(handle: 5, value: configuration))])
    script.answer(.writeResponse)
    #expect(script.isDone)
  }

  @Test func saysWhatCannotBeSubscribedTo() {
    let silent = ClientScript.discovered(properties: [.read])
    #expect(silent.start(.subscribe(silent.client.attributes.characteristics[0])) == [])
    #expect(silent.error?.kind == .notFound)

    let bare = ClientScript.discovered(end: 3)
    #expect(bare.start(.subscribe(ClientScript.indicating)) == [])
    #expect(bare.error?.kind == .notFound)

    let empty = ClientScript.discovered()
    empty.start(.subscribe(ClientScript.indicating))
    empty.answer(ClientScript.notFound(.findInformationRequest))
    #expect(empty.error?.kind == .notFound)

    let others = ClientScript.discovered()
    others.start(.subscribe(ClientScript.indicating))
    let types = (4...6 as ClosedRange<UInt16>).map {
      ATTAttributeType(handle: $0, type: .bit16(0x2901))
    }
    #expect(others.answer(.findInformationResponse(types)) == [])
    #expect(others.error?.kind == .notFound)
  }

  @Test(arguments: [3, 7] as [UInt16])
  func refusesDescriptorsOutOfPlace(_ handle: UInt16) {
    let script = ClientScript.discovered()
    script.start(.subscribe(ClientScript.indicating))
    script.answer(
      .findInformationResponse([ATTAttributeType(handle: handle, type: .bit16(0x2902))]))
    #expect(script.error?.kind == .malformed)
  }

  @Test func confirmsIndications() {
    let script = ClientScript.discovered()
    let value = ATTAttributeValue(handle: 3, value: [1, 2])
    script.start(.read(handle: 3))
    #expect(script.answer(.handleValueIndication(value)) == [.handleValueConfirmation])
    #expect(script.answer(.handleValueNotification(value)) == [])
    #expect(script.answer(.multipleHandleValueNotification([value, value])) == [])
    #expect(script.values == [value, value, value, value])
    script.answer(.readResponse([5]))
    #expect(script.value == [5])
  }

  @Test func waitsForTheAnswerToWhatWasGivenUp() {
    let script = ClientScript.discovered()
    script.start(.read(handle: 3))
    #expect(script.take(script.client.abandon()) == [])
    #expect(script.error?.kind == .timedOut)
    #expect(script.client.awaitsAnswer)
    // The next one is sent when the peer has answered the last.
    #expect(script.start(.read(handle: 4)) == [])
    #expect(script.answer(.readResponse([9])) == [.readRequest(handle: 4)])
    #expect(script.result == nil)
    script.answer(.readResponse([1]))
    #expect(script.value == [1])
  }

  @Test func givesUpWhatWasNotSentYet() {
    let script = ClientScript.discovered()
    script.start(.read(handle: 3))
    _ = script.take(script.client.abandon())
    script.start(.read(handle: 4))
    _ = script.take(script.client.abandon())
    #expect(script.error?.kind == .timedOut)
    #expect(script.answer(.readResponse([9])) == [])
    #expect(!script.client.awaitsAnswer)
    #expect(script.start(.read(handle: 5)).count == 1)
  }

  @Test func takesBackALongWriteThatWasGivenUp() {
    let script = ClientScript.discovered(mtu: 23)
    script.start(.write(value, handle: 3))
    _ = script.take(script.client.abandon())
    script.start(.read(handle: 3))
    #expect(script.answer(.prepareWriteResponse(first)) == [.executeWriteRequest(write: false)])
    #expect(script.answer(.executeWriteResponse) == [.readRequest(handle: 3)])
  }

  @Test func endsWithASilentPeer() {
    let script = ClientScript.discovered()
    script.start(.read(handle: 3))
    _ = script.take(script.client.transactionTimedOut())
    #expect(script.error?.kind == .timedOut)
    #expect(script.closed?.kind == .timedOut)
    #expect(script.start(.read(handle: 3)) == [])
    #expect(script.error?.kind == .timedOut)
    #expect(script.take(script.client.transactionTimedOut()) == [])
  }

  @Test func doesOneThingAtATime() {
    let script = ClientScript.discovered()
    script.start(.read(handle: 3))
    #expect(
      script.client.start(.read(handle: 4)).first
        == .finished(
          .failure(GATTError(.busy, during: "read", "another operation is under way"))))
  }

  @Test(
    arguments: [
      [0x13], [0x0D, 1], [0x01, 0x12, 3, 0, 1],  // to another request
      [0x01, 0x0A], [0x09, 0x02], [0x13, 0x00],  // no PDUs
    ] as [[UInt8]])
  func closesOnAnAnswerThatIsNone(_ bytes: [UInt8]) {
    let script = ClientScript.discovered()
    script.start(.read(handle: 3))
    #expect(script.receive(bytes) == [])
    #expect(script.error?.kind == .malformed)
    #expect(script.error?.operation == "read")
    #expect(script.closed?.kind == .malformed)
    #expect(script.receive(bytes) == [])
  }

  @Test(
    arguments: [
      [], [0x0B, 1], [0x01, 0x0A], [0x13], [0x1B], [0x1B, 1], [0x1D, 0], [0x1E], [0x1E, 0],
      [0xFF, 0, 0], [0x52, 1, 0, 5], [0x52], [0xD2, 1],
    ] as [[UInt8]])
  func ignoresWhatNobodyAskedFor(_ bytes: [UInt8]) {
    let script = ClientScript.discovered()
    #expect(script.receive(bytes) == [])
    #expect(script.closed == nil && script.values.isEmpty)
    #expect(script.start(.read(handle: 3)).count == 1)
  }

  @Test(
    arguments: [
      ([0x02, 0x17, 0x00], .exchangeMTUResponse(517)),
      (
        [0x10, 1, 0, 0xFF, 0xFF, 0, 0x28],
        .errorResponse(request: .readByGroupTypeRequest, handle: 1, error: .attributeNotFound)
      ),
      (
        [0x08, 1, 0, 0xFF, 0xFF, 0, 0x2A],
        .errorResponse(request: .readByTypeRequest, handle: 1, error: .attributeNotFound)
      ),
      (
        [0x04, 5, 0, 4, 0],
        .errorResponse(request: .findInformationRequest, handle: 5, error: .invalidHandle)
      ),
      (
        [0x06, 2, 0, 0xFF, 0xFF, 0, 0x28, 0, 0x18],
        .errorResponse(request: .findByTypeValueRequest, handle: 2, error: .attributeNotFound)
      ),
      ([0x0A, 7, 0], .errorResponse(request: .readRequest, handle: 7, error: .invalidHandle)),
      ([0x12, 7, 0, 1], .errorResponse(request: .writeRequest, handle: 7, error: .invalidHandle)),
      ([0x18, 0], .executeWriteResponse),
      (
        [0x2C, 1],
        .errorResponse(request: ATTOpcode(rawValue: 0x2C), handle: 0, error: .requestNotSupported)
      ),
      ([0x0A, 7], .errorResponse(request: .readRequest, handle: 0, error: .invalidPDU)),
    ] as [([UInt8], ATTPDU)])
  func answersRequests(_ request: [UInt8], _ answer: ATTPDU) {
    let script = ClientScript.discovered()
    script.start(.read(handle: 3))
    #expect(script.receive(request) == [answer])
    #expect(script.result == nil)
    script.answer(.readResponse([1]))
    #expect(script.value == [1])
  }

  @Test func neverTraps() {
    var random = Seeded.drawn()
    for round in 0..<400 {
      let script = ClientScript.discovered(mtu: UInt16(20 + round % 40))
      for _ in 0..<40 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where script.client.operationName == nil: script.start(.read(handle: 3))
        case 1 where script.client.operationName == nil:
          let count = Int.random(in: 0...60, using: &random)
          script.start(.write([UInt8](repeating: 1, count: count), handle: 3))
        case 2 where script.client.operationName == nil:
          script.start(.subscribe(ClientScript.indicating))
        case 3 where script.client.operationName != nil:
          _ = script.take(script.client.abandon())
        default:
          var bytes = ATTPDUTests.examples.randomElement(using: &random)?.1 ?? []
          if Bool.random(using: &random), !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            bytes[index] = .random(in: 0...255, using: &random)
          }
          script.receive(bytes)
        }
        if script.client.operationName == nil { script.start(.discover) }
      }
    }
  }
}
