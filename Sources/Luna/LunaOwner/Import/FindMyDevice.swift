import Bluetooth
import LunaCore
import LunaProtocol

/// A device of Apple's Find My network from what the forms of files have in common.
enum FindMyDevice {
  static func make(
    _ keys: DeviceKeys, pairedAt: Timestamp, name: String?, model: String?, identifier: String?
  ) throws(DeviceFileError) -> Device {
    let fingerprint = try DeviceFile.fingerprint(keys)
    let uuid = identifier.flatMap { DeviceUUID($0) } ?? fingerprint
    let names = [name, model, identifier].compactMap { $0 }
    return Device(
      uuid: uuid, keys: keys, onboardingTimestamp: pairedAt,
      name: names.first { !$0.isEmpty } ?? uuid.description)
  }

  /// A tag with a fixed key, of which nobody says since when it has it.
  static func make(
    _ key: FindMyKey, name: String? = nil, identifier: String? = nil
  ) throws(DeviceFileError) -> Device {
    try make(
      .appleFindMyKey(key), pairedAt: Timestamp(microseconds: 0), name: name, model: nil,
      identifier: identifier)
  }
}
