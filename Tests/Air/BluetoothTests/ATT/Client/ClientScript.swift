import Testing

@testable import Bluetooth

/// A client, and a peer whose PDUs a test writes down.
final class ClientScript {
  var client = ATTClient()
  /// The last result of an operation.
  private(set) var result: Result<ATTOutcome, GATTError>?
  private(set) var values: [ATTAttributeValue] = []
  private(set) var closed: GATTError?

  static let service = BluetoothUUID.bit16(0x1804)
  static let indicating = GATTCharacteristic(
    service: service, uuid: .bit16(0x2A07), properties: [.indicate, .notify], handle: 3)

  /// A client that has found one service with a characteristic at handle 3, which ends at `end`.
  static func discovered(
    mtu: UInt16 = 23, properties: GATTCharacteristic.Properties = [.indicate, .notify],
    end: UInt16 = 6
  ) -> ClientScript {
    let script = ClientScript()
    script.start(.discover)
    script.answer(.exchangeMTUResponse(mtu))
    script.answer(
      .readByGroupTypeResponse([
        ATTAttributeGroup(handles: ATTHandleRange(1, end), value: [0x04, 0x18])
      ]))
    script.answer(notFound(.readByGroupTypeRequest))
    // properties, handle of the value 2, UUID 2
    script.answer(
      .readByTypeResponse([
        ATTAttributeValue(handle: 2, value: [properties.rawValue, 3, 0, 0x07, 0x2A])
      ]))
    script.answer(notFound(.readByTypeRequest))
    return script
  }

  static func notFound(_ request: ATTOpcode) -> ATTPDU {
    .errorResponse(request: request, handle: 1, error: .attributeNotFound)
  }

  /// What the client sends.
  @discardableResult
  func start(_ operation: ATTClient.Operation) -> [ATTPDU] {
    result = nil
    return take(client.start(operation))
  }

  @discardableResult
  func answer(_ pdu: ATTPDU) -> [ATTPDU] { receive(pdu.bytes) }

  @discardableResult
  func receive(_ bytes: [UInt8]) -> [ATTPDU] { take(client.receive(bytes.span)) }

  func take(_ actions: [ATTClient.Action]) -> [ATTPDU] {
    var sent: [ATTPDU] = []
    for action in actions {
      switch action {
      case .send(let bytes):
        if let pdu = try? ATTPDU(bytes.span) { sent.append(pdu) }
      case .finished(let result):
        #expect(self.result == nil, "a second result")
        self.result = result
      case .value(let handle, let value):
        values.append(ATTAttributeValue(handle: handle, value: value))
      case .close(let error): closed = error
      }
    }
    return sent
  }

  var error: GATTError? {
    guard case .failure(let error)? = result else { return nil }
    return error
  }

  var value: [UInt8]? {
    guard case .success(.value(let value))? = result else { return nil }
    return value
  }

  var isDone: Bool { result == .success(.done) }
}
