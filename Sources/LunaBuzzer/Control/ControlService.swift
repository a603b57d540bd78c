import Bluetooth

/// The service of LunaTrackers through which commands go (PROTOCOL.md, 13).
enum ControlService {
  static let uuid = characteristic(0)
  static let challenge = characteristic(3)
  static let control = characteristic(4)

  private static func characteristic(_ number: UInt64) -> BluetoothUUID {
    .bit128(high: 0x38EB_0000_FC56_5CB4 | number << 32, low: 0xA0F2_DAD2_99D5_501D)
  }
}
