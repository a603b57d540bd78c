import Bluetooth
import LunaCore
import LunaProtocol

/// A device of Apple's Find My network from what the forms of files have in common.
enum FindMyDevice {
  static func make(
    _ keys: FindMyKeys, pairedAt: Timestamp, name: String?, model: String?, identifier: String?
  ) throws(DeviceFileError) -> Device {
    let keys = DeviceKeys.appleFindMy(keys)
    let fingerprint = try DeviceFile.fingerprint(keys)
    let uuid = identifier.flatMap { DeviceUUID($0) } ?? fingerprint
    let names = [name, model, identifier].compactMap { $0 }
    return Device(
      uuid: uuid, keys: keys, onboardingTimestamp: pairedAt,
      name: names.first { !$0.isEmpty } ?? uuid.description)
  }
}
