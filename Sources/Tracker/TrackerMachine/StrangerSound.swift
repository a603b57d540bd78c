/// The messages of the non-owner sound service (IETF DULT, accessory protocol, non-owner controls):
/// an opcode of two bytes, least significant first, and operands.
package enum StrangerSound {
  /// Sound_Start.
  package static let start: UInt16 = 0x0300
  /// Sound_Stop.
  package static let stop: UInt16 = 0x0301

  /// What Command_Response says.
  package enum Status: UInt16 {
    case success = 0x0000
    case invalidState = 0x0001
    case invalidLength = 0x0003
    case invalidCommand = 0xFFFF
  }

  /// Sound_Completed.
  package static let completed: [UInt8] = [0x03, 0x03]

  /// The opcode; nil when it is not all there.
  package static func opcode(_ bytes: [UInt8]) -> UInt16? {
    bytes.count < 2 ? nil : UInt16(bytes[0]) | UInt16(bytes[1]) << 8
  }

  /// Command_Response to a message.
  package static func response(to bytes: [UInt8], _ status: Status) -> [UInt8] {
    let opcode = opcode(bytes) ?? 0
    return [
      0x02, 0x03, UInt8(truncatingIfNeeded: opcode), UInt8(opcode >> 8),
      UInt8(truncatingIfNeeded: status.rawValue), UInt8(status.rawValue >> 8),
    ]
  }
}
