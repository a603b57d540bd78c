import Bluetooth

/// IETF DULT: draft-ietf-dult-accessory-protocol-00, "Accessory Connections". Google's Find Hub
/// accessories serve it as well (developers.google.com/nearby/fast-pair/specifications/extensions/fmdn,
/// "Unwanted tracking prevention").
enum DULTRules: NonOwnerRules {
  static var service: BluetoothUUID {
    .bit128(high: 0x1519_0001_12F4_C226, low: 0x88ED_2AC5_579F_2A85)
  }
  static var characteristic: BluetoothUUID {
    .bit128(high: 0x8E0C_0001_1D68_FB92, low: 0xBF61_4837_7421_680E)
  }
  static var answers: Bool { true }

  static func request(_ opcode: UInt16) -> [UInt8]? { DULTOpcode.request(opcode) }
  static func message(_ bytes: [UInt8]) -> NonOwnerMessage? { DULTOpcode.message(bytes) }
}
