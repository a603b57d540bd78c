/// Agrees on the MTU, and finds the primary services and their characteristics
/// (Core Specification, Vol 3, Part G, 4.3.1, 4.4.1 and 4.6.1).
///
/// Each answer must bring handles beyond the last ones, so that there is an end whatever a peer
/// says. The characteristics of all services are asked for in one go: for each service of its own
/// it would take one more request.
struct ATTDiscovery: ATTProcedure {
  private static let operation = "discover"
  private static let primaryService = BluetoothUUID.bit16(0x2800)
  private static let characteristic = BluetoothUUID.bit16(0x2803)

  private struct Service {
    let handles: ATTHandleRange
    let uuid: BluetoothUUID
  }

  private struct Declaration {
    let handle: UInt16
    let characteristic: GATTCharacteristic
    /// The last handle of the service.
    let end: UInt16
  }

  private enum Step {
    case mtu, services, characteristics
  }

  private var step = Step.mtu
  private var found = ATTAttributes()
  private var services: [Service] = []
  private var declarations: [Declaration] = []
  /// Where the last answer ended.
  private var last: UInt16 = 0
  /// The value of the last characteristic.
  private var lastValue: UInt16 = 0

  mutating func begin() -> ATTStep {
    .request(.exchangeMTURequest(UInt16(ATTPDU.maximumMTU)))
  }

  mutating func receive(_ answer: ATTPDU) -> ATTStep {
    switch (step, answer) {
    case (.mtu, .exchangeMTUResponse(let mtu)):
      found.mtu = min(max(Int(mtu), ATTPDU.defaultMTU), ATTPDU.maximumMTU)
      return findServices()
    // A peer that knows no other MTU.
    case (.mtu, .errorResponse(_, _, .requestNotSupported)): return findServices()
    case (.services, .readByGroupTypeResponse(let groups)): return take(groups)
    case (.services, .errorResponse(_, _, .attributeNotFound)): return findCharacteristics()
    case (.characteristics, .readByTypeResponse(let values)): return take(values)
    case (.characteristics, .errorResponse(_, _, .attributeNotFound)): return finish()
    case (_, .errorResponse(_, _, let error)):
      return .refused(error, during: ATTDiscovery.operation)
    default: return malformed("\(answer.opcode)")
    }
  }

  private func malformed(_ what: String) -> ATTStep {
    .malformed(what, during: ATTDiscovery.operation)
  }

  private mutating func findServices() -> ATTStep {
    step = .services
    guard last < .max else { return findCharacteristics() }
    return .request(
      .readByGroupTypeRequest(
        ATTHandleRange(last + 1, .max), type: ATTDiscovery.primaryService))
  }

  private mutating func take(_ groups: [ATTAttributeGroup]) -> ATTStep {
    for group in groups {
      guard group.handles.isValid, group.handles.first > last else {
        return malformed("services that do not ascend")
      }
      guard let uuid = ATTDiscovery.uuid(group.value[...]) else {
        return malformed("a service whose UUID has \(group.value.count) bytes")
      }
      services.append(Service(handles: group.handles, uuid: uuid))
      last = group.handles.last
    }
    return findServices()
  }

  private static func uuid(_ bytes: ArraySlice<UInt8>) -> BluetoothUUID? {
    guard bytes.count == 2 || bytes.count == 16 else { return nil }
    let bytes = Array(bytes)
    return BluetoothUUID(littleEndian: bytes.span, at: 0, width: bytes.count)?.shortest
  }

  private mutating func findCharacteristics() -> ATTStep {
    step = .characteristics
    last = 0
    guard let first = services.first?.handles.first else { return finish() }
    last = first - 1
    return findMoreCharacteristics()
  }

  private mutating func findMoreCharacteristics() -> ATTStep {
    guard let end = services.last?.handles.last, last < end else { return finish() }
    return .request(
      .readByTypeRequest(ATTHandleRange(last + 1, end), type: ATTDiscovery.characteristic))
  }

  private mutating func take(_ values: [ATTAttributeValue]) -> ATTStep {
    for value in values {
      // properties, handle of the value 2, UUID 2 or 16
      let bytes = value.value
      guard value.handle > last else { return malformed("characteristics that do not ascend") }
      guard let handle = bytes.span.littleEndianWord(at: 1),
        let uuid = ATTDiscovery.uuid(bytes.dropFirst(3))
      else { return malformed("a characteristic of \(bytes.count) bytes") }
      last = value.handle
      // Those of secondary services belong to no service that was found.
      guard let service = service(of: value.handle) else { continue }
      guard handle > value.handle, handle > lastValue, service.handles.contains(handle) else {
        return malformed("a characteristic whose value has the handle \(handle)")
      }
      lastValue = handle
      declarations.append(
        Declaration(
          handle: value.handle,
          characteristic: GATTCharacteristic(
            service: service.uuid, uuid: uuid,
            properties: GATTCharacteristic.Properties(rawValue: bytes[0]), handle: handle),
          end: service.handles.last))
    }
    return findMoreCharacteristics()
  }

  /// The service that a handle lies in; they ascend.
  private func service(of handle: UInt16) -> Service? {
    var low = 0
    var high = services.count
    while low < high {
      let middle = (low + high) / 2
      if services[middle].handles.last < handle { low = middle + 1 } else { high = middle }
    }
    guard low < services.count, services[low].handles.contains(handle) else { return nil }
    return services[low]
  }

  private mutating func finish() -> ATTStep {
    for (index, declaration) in declarations.enumerated() {
      found.characteristics.append(declaration.characteristic)
      // The next declaration, when it is in the same service, ends this characteristic.
      let next = index + 1 < declarations.count ? declarations[index + 1].handle : 0
      let end = next > 0 && next <= declaration.end ? next - 1 : declaration.end
      found.ends[declaration.characteristic.handle] = end
    }
    return .done(.attributes(found))
  }
}
