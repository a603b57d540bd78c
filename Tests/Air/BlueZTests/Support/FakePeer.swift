import Bluetooth

/// A peer with two services: 0x1804 with a transmission power at handle 3, and 0xFFF0 with a value
/// to read and write (0xFFF1, handle 6) and one that indicates (0xFFF2, handle 8).
struct FakePeer {
  static let services: [(first: UInt16, last: UInt16, uuid: UInt16)] = [
    (1, 3, 0x1804), (4, 9, 0xFFF0),
  ]
  /// handle of the declaration, properties, handle of the value, UUID
  static let declarations: [(UInt16, UInt8, UInt16, UInt16)] = [
    (2, 0x02, 3, 0x2A07), (5, 0x0E, 6, 0xFFF1), (7, 0x20, 8, 0xFFF2),
  ]

  /// The largest PDU that it takes.
  var largest: UInt16 = 517
  var stored: [UInt8] = Array("luna".utf8)
  private(set) var configuration: [UInt8] = []
  private var prepared: [ATTPreparedWrite] = []
  private var mtu = 23

  /// Forgets what belongs to a connection.
  mutating func disconnected() {
    mtu = 23
    configuration = []
    prepared = []
  }

  mutating func answer(_ request: ATTPDU) -> ATTPDU? {
    switch request {
    case .exchangeMTURequest(let other):
      mtu = Int(min(other, largest))
      return .exchangeMTUResponse(largest)
    case .readByGroupTypeRequest(let range, _):
      let found = FakePeer.services.filter { range.contains($0.first) }
      let groups = found.map {
        ATTAttributeGroup(
          handles: ATTHandleRange($0.first, $0.last), value: $0.uuid.octets)
      }
      return groups.isEmpty ? notFound(request) : .readByGroupTypeResponse(groups)
    case .readByTypeRequest(let range, _):
      let found = FakePeer.declarations.filter { range.contains($0.0) }
      let values = found.map {
        ATTAttributeValue(
          handle: $0.0, value: [$0.1] + $0.2.octets + $0.3.octets)
      }
      return values.isEmpty ? notFound(request) : .readByTypeResponse(Array(values.prefix(3)))
    case .findInformationRequest(let range):
      return range.contains(9)
        ? .findInformationResponse([ATTAttributeType(handle: 9, type: .bit16(0x2902))])
        : notFound(request)
    case .readRequest(let handle): return .readResponse(Array(value(handle).prefix(mtu - 1)))
    case .readBlobRequest(let handle, let offset):
      return .readBlobResponse(Array(value(handle).dropFirst(Int(offset)).prefix(mtu - 1)))
    case .writeRequest(let attribute):
      if attribute.handle == 9 { configuration = attribute.value } else { stored = attribute.value }
      return .writeResponse
    case .prepareWriteRequest(let part):
      prepared.append(part)
      return .prepareWriteResponse(part)
    case .executeWriteRequest(let write):
      if write { stored = prepared.flatMap(\.value) }
      prepared = []
      return .executeWriteResponse
    default: return nil
    }
  }

  private func value(_ handle: UInt16) -> [UInt8] { handle == 3 ? [4] : stored }

  private func notFound(_ request: ATTPDU) -> ATTPDU {
    .errorResponse(request: request.opcode, handle: 1, error: .attributeNotFound)
  }
}
