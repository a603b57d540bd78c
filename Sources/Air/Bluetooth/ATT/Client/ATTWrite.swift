/// Writes a value; one that does not fit a PDU is prepared piece by piece, and written when every
/// piece has arrived whole (Core Specification, Vol 3, Part G, 4.9.3 to 4.9.5).
struct ATTWrite: ATTProcedure {
  let operation: String
  let handle: UInt16
  let value: [UInt8]
  let mtu: Int
  /// The piece that is on its way.
  private var part: ATTPreparedWrite?
  /// Why the peer is told to forget the pieces.
  private var failure: GATTError?

  init(_ value: [UInt8], to handle: UInt16, mtu: Int, during operation: String = "write") {
    self.operation = operation
    self.handle = handle
    self.value = value
    self.mtu = mtu
  }

  var leavesPreparedWrites: Bool { part != nil && failure == nil }

  mutating func begin() -> ATTStep {
    guard value.count <= ATTPDU.longestValue else {
      return .failed(
        GATTError(
          .refused, during: operation,
          "the value has \(value.count) bytes, and no value may have more than "
            + "\(ATTPDU.longestValue)"))
    }
    if value.count <= mtu - 3 {
      return .request(.writeRequest(ATTAttributeValue(handle: handle, value: value)))
    }
    return prepare(from: 0)
  }

  private mutating func prepare(from offset: Int) -> ATTStep {
    guard offset < value.count else { return .request(.executeWriteRequest(write: true)) }
    let part = ATTPreparedWrite(
      handle: handle, offset: UInt16(offset),
      value: Array(value[offset..<min(offset + mtu - 5, value.count)]))
    self.part = part
    return .request(.prepareWriteRequest(part))
  }

  mutating func receive(_ answer: ATTPDU) -> ATTStep {
    if let failure { return .failed(failure) }
    switch answer {
    case .writeResponse, .executeWriteResponse: return .done(.done)
    case .prepareWriteResponse(let echo):
      guard let part, echo == part else {
        return forget(.malformed("other bytes than were to be written", during: operation))
      }
      return prepare(from: Int(part.offset) + part.value.count)
    case .errorResponse(let request, _, let error):
      let refused = ATTStep.refused(error, during: operation)
      // Executing has emptied the queue; preparing has not (3.4.6.1).
      return request == .prepareWriteRequest ? forget(refused) : refused
    default: return .malformed("\(answer.opcode)", during: operation)
    }
  }

  private mutating func forget(_ step: ATTStep) -> ATTStep {
    guard case .failed(let error) = step else { return step }
    failure = error
    return .request(.executeWriteRequest(write: false))
  }
}
