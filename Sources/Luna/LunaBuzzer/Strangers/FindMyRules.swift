import Bluetooth

/// The non-owner control point of accessories of Apple's Find My network. The UUIDs and the requests
/// 01 00 03 and 01 01 03 are in AirGuard (github.com/seemoo-lab/AirGuard, AppleFindMy.kt); the first
/// byte says whether a message goes on in the next packet: 00 it does, 01 it does not (the fragment
/// header of Nordic's Find My add-on, fmna_gatt_pkt_manager.c). What follows is the same as in DULT,
/// which was made from it.
enum FindMyRules: NonOwnerRules {
  static var service: BluetoothUUID { .bit16(0xFD44) }
  static var characteristic: BluetoothUUID {
    .bit128(high: 0x4F86_0003_943B_49EF, low: 0xBED4_2F73_0304_427A)
  }
  static var answers: Bool { true }

  private static let final: UInt8 = 0x01

  static func request(_ opcode: UInt16) -> [UInt8]? { [final] + DULTOpcode.request(opcode) }

  /// The messages that matter here fit one packet.
  static func message(_ bytes: [UInt8]) -> NonOwnerMessage? {
    guard bytes.first == final else { return nil }
    return DULTOpcode.message(Array(bytes.dropFirst()))
  }
}
