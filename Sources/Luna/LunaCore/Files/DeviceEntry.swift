import Bluetooth
import LunaCrypto
import LunaJSON
import LunaProtocol

/// One device in a ``DeviceFile``.
enum DeviceEntry {
  /// How messages call an entry.
  static func label(_ number: Int, _ name: String?) -> String {
    name.map { "entry \(number) (\($0))" } ?? "entry \(number)"
  }

  static func encode(_ device: Device) -> JSONObject {
    var entry: JSONObject = [
      "uuid": .string(device.uuid.description),
      "kind": .string(device.keys.kind.rawValue), "name": .string(device.name),
      "onboardingTimestamp": .string(device.onboardingTimestamp.rfc3339),
    ]
    if device.isUnauthenticated { entry.append("unauthenticated", .bool(true)) }
    switch device.keys {
    case .luna(let key): entry.append("masterKey", .string(key.revealed))
    case .eddystoneEID(let keys):
      entry.append("identityKey", hex(keys.identityKey))
      entry.append("exponent", .integer(Int64(keys.exponent)))
      entry.append("counter", .integer(Int64(keys.counter)))
    case .appleFindMy(let keys):
      entry.append("masterKey", hex(keys.masterKey))
      entry.append("primarySecret", hex(keys.primarySecret))
      entry.append("secondarySecret", hex(keys.secondarySecret))
      if let alignment = keys.alignment {
        entry.append("alignmentTimestamp", .string(alignment.time.rfc3339))
        entry.append("alignmentIndex", .integer(Int64(alignment.index)))
      }
    case .appleFindMyKey(let key): entry.append("privateKey", hex(key.privateKey))
    case .googleFindHub(let keys):
      entry.append("identityKey", hex(keys.identityKey))
      entry.append("counter", .integer(Int64(keys.counter)))
      if keys.curve != .secp160r1 { entry.append("curve", .string(keys.curve.rawValue)) }
    case .resolvableAddress(let key): entry.append("identityResolvingKey", hex(key.secret))
    // What was shared is not handed on; the file leaves such devices out.
    case .lunaShared: break
    }
    return entry
  }

  private static func hex(_ secret: SecretBytes) -> JSONValue {
    .string(secret.withBytes { Hex.lower($0) })
  }

  static func decode(_ value: JSONValue, number: Int) throws(DeviceFileError) -> Device {
    guard case .object(let object) = value else {
      throw DeviceFileError("it is not an object", entry: label(number, nil))
    }
    return try DeviceEntryReader(object, number: number).device()
  }
}
