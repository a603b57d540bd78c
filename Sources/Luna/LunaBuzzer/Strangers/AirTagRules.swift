import Bluetooth

/// The sound service of AirTags with their first firmware: one byte, AF, and no answer
/// (github.com/seemoo-lab/AirGuard, AirTag.kt; adamcatley.com/AirTag, "Bluetooth services").
enum AirTagRules: NonOwnerRules {
  static var service: BluetoothUUID {
    .bit128(high: 0x7DFC_9000_7D1C_4951, low: 0x86AA_8D97_28F8_D66C)
  }
  static var characteristic: BluetoothUUID {
    .bit128(high: 0x7DFC_9001_7D1C_4951, low: 0x86AA_8D97_28F8_D66C)
  }
  static var answers: Bool { false }

  static func request(_ opcode: UInt16) -> [UInt8]? {
    opcode == DULTOpcode.soundStart ? [0xAF] : nil
  }
  static func message(_ bytes: [UInt8]) -> NonOwnerMessage? { nil }
}
