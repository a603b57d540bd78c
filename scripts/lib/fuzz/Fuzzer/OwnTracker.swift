import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// The devices that runs follow, and a LunaTracker's frames as they really are.
enum OwnTracker {
  static func secret(_ count: Int) -> SecretBytes {
    SecretBytes(copying: [UInt8](repeating: 5, count: count).span)
  }

  static let masterKey = MasterKey(bytes: InlineArray(repeating: 1))

  /// - Parameter slow: also those whose keys are derived on elliptic curves, which takes a thousand
  ///   times as long as all the rest.
  static func devices(onboarded time: Int64, index: UInt32, slow: Bool) -> [Device] {
    let curves: [DeviceKeys?] = [
      FindMyKeys(
        masterKey: secret(28), primarySecret: secret(32), secondarySecret: secret(32),
        alignment: FindMyKeys.Alignment(time: Timestamp(microseconds: time), index: index)
      ).map { .appleFindMy($0) },
      FindHubKeys(identityKey: secret(32), counter: index).map { .googleFindHub($0) },
      FindMyKey(secret(28)).map { .appleFindMyKey($0) },
    ]
    let others: [DeviceKeys?] = [
      .luna(masterKey),
      EddystoneKeys(identityKey: secret(16), exponent: UInt8(index % 16), counter: index)
        .map { .eddystoneEID($0) },
      IdentityResolvingKey(secret(16)).map { .resolvableAddress($0) },
    ]
    return (slow ? others + curves : others).enumerated().compactMap { number, keys in
      keys.map {
        Device(
          uuid: DeviceUUID(high: 1, low: UInt64(number)), keys: $0,
          onboardingTimestamp: Timestamp(microseconds: time), name: "own")
      }
    }
  }

  /// What the LunaTracker shows in a period.
  static func report(_ period: UInt32, at time: Int64) -> AdvertisingReport {
    guard var schedule = try? KeySchedule() else { fatalError("no cryptography") }
    let keys = schedule.keys(of: masterKey)
    guard let location = keys.location, let control = keys.control else { fatalError("all keys") }
    let frame = LunaFrame(
      isConnectable: false, isOnboardable: false, isSeparated: false,
      keyRollingCounter: UInt8(truncatingIfNeeded: period),
      eid: schedule.eid(keys.identification, period: period),
      aotp: schedule.aotp(location, period: period),
      esf: schedule.sealStatus(
        TrackerStatus(battery: .normal), botp: schedule.botp(control, period: period)))
    let bytes = frame.encoded
    return AdvertisingReport(
      time: Timestamp(microseconds: time), adapter: nil,
      address: BluetoothAddress(value: 0xC000_0000_0000 | UInt64(period)), addressType: .random,
      payload: AdvertisingPayload(bytes.indices.map { bytes[$0] }), rssi: -60)
  }
}
