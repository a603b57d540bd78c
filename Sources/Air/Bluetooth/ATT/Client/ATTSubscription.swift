/// Finds the client characteristic configuration of a characteristic and asks for indications, or
/// else for notifications (Core Specification, Vol 3, Part G, 3.3.3.3, 4.7.1, 4.10 and 4.11).
struct ATTSubscription: ATTProcedure {
  private static let operation = "subscribe"
  private static let configuration = BluetoothUUID.bit16(0x2902)

  let characteristic: GATTCharacteristic
  /// The last handle of the characteristic.
  let end: UInt16
  private var last: UInt16
  private var isFound = false

  init(to characteristic: GATTCharacteristic, end: UInt16) {
    self.characteristic = characteristic
    self.end = end
    last = characteristic.handle
  }

  mutating func begin() -> ATTStep {
    guard !characteristic.properties.isDisjoint(with: [.indicate, .notify]) else {
      return notFound("it neither indicates nor notifies")
    }
    return search()
  }

  private func search() -> ATTStep {
    guard last < end else { return notFound("it has no client configuration") }
    return .request(.findInformationRequest(ATTHandleRange(last + 1, end)))
  }

  private func notFound(_ what: String) -> ATTStep {
    .failed(
      GATTError(
        .notFound, during: ATTSubscription.operation,
        "the characteristic \(characteristic.uuid) cannot be subscribed to: \(what)"))
  }

  mutating func receive(_ answer: ATTPDU) -> ATTStep {
    switch answer {
    case .findInformationResponse(let types): return take(types)
    case .writeResponse where isFound: return .done(.done)
    case .errorResponse(_, _, .attributeNotFound) where !isFound:
      return notFound("it has no client configuration")
    case .errorResponse(_, _, let error):
      return .refused(error, during: ATTSubscription.operation)
    default: return .malformed("\(answer.opcode)", during: ATTSubscription.operation)
    }
  }

  private mutating func take(_ types: [ATTAttributeType]) -> ATTStep {
    for type in types {
      guard type.handle > last, type.handle <= end else {
        return .malformed(
          "descriptors that do not ascend", during: ATTSubscription.operation)
      }
      last = type.handle
      guard type.type.shortest == ATTSubscription.configuration else { continue }
      isFound = true
      let bits: UInt16 = characteristic.properties.contains(.indicate) ? 0x0002 : 0x0001
      return .request(
        .writeRequest(ATTAttributeValue(handle: type.handle, value: bits.octets)))
    }
    return search()
  }
}
