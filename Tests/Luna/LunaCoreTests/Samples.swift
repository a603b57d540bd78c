import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// Devices and sightings to test with.
enum Samples {
  static func uuid(_ number: UInt64) -> DeviceUUID { DeviceUUID(high: 0, low: number) }

  static func secret(_ count: Int, _ byte: UInt8 = 7) -> SecretBytes {
    SecretBytes(copying: [UInt8](repeating: byte, count: count).span)
  }

  static func device(_ number: UInt8) -> Device {
    Device(
      uuid: uuid(UInt64(number)), masterKey: MasterKey(bytes: InlineArray(repeating: number)),
      onboardingTimestamp: Timestamp(microseconds: 1_700_000_000_000_000), name: "keys \(number)")
  }

  static func sighting(of uuid: DeviceUUID, at microseconds: Int64) -> Sighting {
    Sighting(
      device: uuid, receivedAt: Timestamp(microseconds: microseconds),
      address: BluetoothAddress(value: 5), rssi: -60, eid: [1, 2, 3, 4, 5, 6, 7, 8], period: 3)
  }
}
