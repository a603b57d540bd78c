import Bluetooth
import Glibc
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaStore
import LunaTesting

/// Sightings and passphrases to test with.
extension Samples {
  static func passphrase(_ text: String) -> SecretBytes {
    SecretBytes(copying: Array(text.utf8).span)
  }

  static func sighting(of uuid: DeviceUUID, at microseconds: Int64) -> Sighting {
    Sighting(
      device: uuid, receivedAt: Timestamp(microseconds: microseconds),
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), rssi: -60,
      eid: [1, 2, 3, 4, 5, 6, 7, 8], period: 1_660_156, batteryLow: false)
  }
}
