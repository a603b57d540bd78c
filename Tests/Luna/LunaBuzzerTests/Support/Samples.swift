import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol
import TrackerMachine

/// Keys, codes and records for tests.
enum Samples {
  static let masterKey = MasterKey(bytes: InlineArray { UInt8($0) })
  static let otherKey = MasterKey(bytes: InlineArray { UInt8(255 - $0) })
  static let uuid = DeviceUUID(high: 0x1122_3344_5566_4788, low: 0x99AA_BBCC_DDEE_FF00)
  /// 1,700,000,123 s: the anchor of PROTOCOL.md, 18, in period 1,660,156.
  static let time: UInt32 = 1_700_000_123

  static func device(_ key: MasterKey = masterKey) -> Device {
    Device(
      uuid: uuid, masterKey: key,
      onboardingTimestamp: Timestamp(microseconds: Int64(time) * 1_000_000), name: "keys")
  }

  static func keys(_ key: MasterKey = masterKey) throws -> TrackerKeys {
    var schedule = try KeySchedule()
    return schedule.keys(of: key)
  }

  static func record() -> TrackerRecord {
    guard let code = try? OnboardingCode(text: "LUNA1:0024H36H2NCSVRH6DAQF6DVVQZW") else {
      fatalError("the code of PROTOCOL.md, 18, does not parse")
    }
    return TrackerRecord(
      code: code,
      ownership: TrackerRecord.Ownership(
        uuid: uuid, masterKey: masterKey, onboardingTimestamp: time))
  }

  static func deferred(
    _ command: ControlCommand = .buzzStart, _ argument: UInt16 = 10, counter: UInt32 = time,
    period: UInt32, key: MasterKey = masterKey
  ) throws -> ControlPackage {
    var authenticator = try ControlAuthenticator()
    return try authenticator.deferredPackage(
      command, argument: argument, counter: counter, period: period, keys: keys(key))
  }
}
