import Bluetooth
import LunaCrypto
import LunaProtocol
import Testing

/// The tracker of PROTOCOL.md, 18.
enum Anchor {
  static let masterKeyText = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
  static let period: UInt32 = 1_660_156
  static let eid = EID(value: 0xB6E7_B607_BDC2_304A)
  static let aotp = AOTP(value: 0xE5_C801_3424_402B)
  static let heid = HEID(high: 0xA098_6711_4718_5411, low: 0x41ED_6066_4CE8_8CBB)
  static let esf = ESF(value: 0xA77593)

  static func masterKey() throws -> MasterKey { try #require(MasterKey(masterKeyText)) }

  static func keys() throws -> TrackerKeys {
    var schedule = try KeySchedule()
    return schedule.keys(of: try masterKey())
  }
}

func array<let count: Int>(_ bytes: InlineArray<count, UInt8>) -> [UInt8] {
  bytes.indices.map { bytes[$0] }
}
