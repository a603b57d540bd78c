import Bluetooth
import LunaCrypto
import LunaProtocol
import LunaTracker

/// Keys, codes and records for tests.
enum Samples {
  static let masterKey = MasterKey(bytes: InlineArray { UInt8($0) })
  /// 1,700,000,123 s: the anchor of PROTOCOL.md, 18, in period 1,660,156.
  static let time: UInt32 = 1_700_000_123

  static func code() -> OnboardingCode {
    guard let code = try? OnboardingCode(text: "LUNA1:0024H36H2NCSVRH6DAQF6DVVQZW") else {
      fatalError("the code of PROTOCOL.md, 18, does not parse")
    }
    return code
  }

  static func factory() -> TrackerRecord { TrackerRecord(code: code()) }

  static func keyed(at time: UInt32 = time) -> TrackerRecord {
    TrackerRecord(
      code: code(),
      ownership: TrackerRecord.Ownership(
        uuid: DeviceUUID(high: 0x1122_3344_5566_4788, low: 0x99AA_BBCC_DDEE_FF00),
        masterKey: masterKey, onboardingTimestamp: time))
  }
}
