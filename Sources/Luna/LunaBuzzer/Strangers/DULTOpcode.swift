/// Opcodes that a non-owner and an accessory exchange (draft-ietf-dult-accessory-protocol-00,
/// "Accessory Information Opcodes" and "Non-Owner Controls Opcodes"); Get_Network_Version from the
/// later text of the working group. Sent least significant byte first ("Byte transmission order").
enum DULTOpcode {
  static let getProductData: UInt16 = 0x0003
  static let getManufacturerName: UInt16 = 0x0004
  static let getModelName: UInt16 = 0x0005
  static let getAccessoryCategory: UInt16 = 0x0006
  static let getProtocolImplementationVersion: UInt16 = 0x0007
  static let getAccessoryCapabilities: UInt16 = 0x0008
  static let getNetworkID: UInt16 = 0x0009
  static let getFirmwareVersion: UInt16 = 0x000A
  static let getBatteryType: UInt16 = 0x000B
  static let getBatteryLevel: UInt16 = 0x000C
  static let getNetworkVersion: UInt16 = 0x000D

  static let soundStart: UInt16 = 0x0300
  static let soundStop: UInt16 = 0x0301
  static let commandResponse: UInt16 = 0x0302
  static let soundCompleted: UInt16 = 0x0303
  static let getIdentifier: UInt16 = 0x0404
  static let getIdentifierResponse: UInt16 = 0x0405

  /// What the answer to a getter begins with.
  static func answer(to getter: UInt16) -> UInt16 {
    getter == getIdentifier ? getIdentifierResponse : getter | 0x0800
  }

  /// A request without operand.
  static func request(_ opcode: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: opcode), UInt8(opcode >> 8)]
  }

  /// What an indication says.
  ///
  /// - Returns: nil when it has no opcode, or is a response without command and status.
  static func message(_ bytes: [UInt8]) -> NonOwnerMessage? {
    func number(_ offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }
    guard bytes.count >= 2 else { return nil }
    switch number(0) {
    case commandResponse:
      guard bytes.count >= 6 else { return nil }
      return .response(to: number(2), NonOwnerStatus(rawValue: number(4)))
    case soundCompleted: return .soundCompleted
    case let opcode: return .other(opcode: opcode, operand: Array(bytes[2...]))
    }
  }
}
