import Bluetooth
import Glibc
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaStore

/// Devices, sightings and passphrases to test with.
enum Samples {
  static func uuid(_ number: UInt64) -> DeviceUUID { DeviceUUID(high: 1, low: number) }

  static func secret(_ count: Int, _ byte: UInt8 = 7) -> SecretBytes {
    SecretBytes(copying: [UInt8](repeating: byte, count: count).span)
  }

  static func passphrase(_ text: String) -> SecretBytes {
    SecretBytes(copying: Array(text.utf8).span)
  }

  static func device(_ number: UInt8, name: String? = nil) -> Device {
    Device(
      uuid: uuid(UInt64(number)), masterKey: MasterKey(bytes: InlineArray(repeating: number)),
      onboardingTimestamp: Timestamp(microseconds: 1_700_000_000_000_000),
      name: name ?? "device \(number)")
  }

  /// One of each kind.
  static func oneOfEach() throws -> [Device] {
    let alignment = FindMyKeys.Alignment(time: Timestamp(microseconds: -5), index: 77)
    let keys: [DeviceKeys?] = [
      .luna(MasterKey(bytes: InlineArray(repeating: 1))),
      EddystoneKeys(identityKey: secret(16), exponent: 12, counter: 0xFFFF_FFFE)
        .map { .eddystoneEID($0) },
      FindMyKeys(
        masterKey: secret(28), primarySecret: secret(32, 8), secondarySecret: secret(32, 9)
      ).map { .appleFindMy($0) },
      FindMyKeys(
        masterKey: secret(28, 1), primarySecret: secret(32, 8), secondarySecret: secret(32, 9),
        alignment: alignment
      ).map { .appleFindMy($0) },
      FindHubKeys(identityKey: secret(32), counter: 9).map { .googleFindHub($0) },
      FindHubKeys(identityKey: secret(32, 3), counter: 9, curve: .secp256r1)
        .map { .googleFindHub($0) },
      IdentityResolvingKey(secret(16)).map { .resolvableAddress($0) },
    ]
    return keys.enumerated().compactMap { index, keys in
      keys.map {
        Device(
          uuid: uuid(UInt64(index)), keys: $0,
          onboardingTimestamp: Timestamp(microseconds: 1_700_000_000_123_456),
          name: "Jürgen's \"\(index)\"\u{1F511}", isUnauthenticated: index == 0)
      }
    }
  }

  static func sighting(of uuid: DeviceUUID, at microseconds: Int64) -> Sighting {
    Sighting(
      device: uuid, receivedAt: Timestamp(microseconds: microseconds),
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), rssi: -60,
      eid: [1, 2, 3, 4, 5, 6, 7, 8], period: 1_660_156, batteryLow: false)
  }
}
