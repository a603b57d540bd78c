/// Reads a value, piece by piece when it is long (Core Specification, Vol 3, Part G, 4.8.1 and
/// 4.8.3).
struct ATTRead: ATTProcedure {
  private static let operation = "read"

  let handle: UInt16
  let mtu: Int
  private var value: [UInt8] = []

  init(handle: UInt16, mtu: Int) {
    self.handle = handle
    self.mtu = mtu
  }

  mutating func begin() -> ATTStep { .request(.readRequest(handle: handle)) }

  mutating func receive(_ answer: ATTPDU) -> ATTStep {
    switch answer {
    case .readResponse(let part), .readBlobResponse(let part): return take(part)
    case .errorResponse(_, _, let error):
      // The first piece was all of it, and just filled the PDU.
      if !value.isEmpty, error == .attributeNotLong || error == .invalidOffset {
        return .done(.value(value))
      }
      return .refused(error, during: ATTRead.operation)
    default: return .malformed("\(answer.opcode)", during: ATTRead.operation)
    }
  }

  private mutating func take(_ part: [UInt8]) -> ATTStep {
    value += part
    guard value.count <= ATTPDU.longestValue else {
      return .malformed(
        "a value of more than \(ATTPDU.longestValue) bytes", during: ATTRead.operation)
    }
    // A piece that does not fill the PDU is the last.
    guard part.count >= mtu - 1, value.count < ATTPDU.longestValue else {
      return .done(.value(value))
    }
    return .request(.readBlobRequest(handle: handle, offset: UInt16(value.count)))
  }
}
