import Diagnosis
import LunaCore
import LunaJSON

/// A tag in a file of devices of OpenHaystack and macless-haystack (`NAME_devices.json`, and what
/// their applications export): `name`, `privateKey` in base64, `additionalKeys`, `usesDerivation`, and
/// members that say how it is drawn.
enum HaystackJSON {
  static func isTag(_ value: JSONValue) -> Bool {
    guard case .object(let object) = value, object["format"] == nil, object["kind"] == nil else {
      return false
    }
    return object["privateKey"] != nil
      && (object["additionalKeys"] != nil || object["usesDerivation"] != nil)
  }

  static func device(_ value: JSONValue, number: Int) throws(DeviceFileError) -> Device {
    guard case .object(let object) = value else {
      throw DeviceFileError("it is not an object", entry: "entry \(number)")
    }
    let reader = DeviceEntryReader(object, number: number)
    switch object["usesDerivation"] {
    case nil, .null, .bool(false): break
    default:
      throw reader.error("it derives new keys (usesDerivation), and a fixed one alone is followed")
    }
    switch object["additionalKeys"] {
    case nil, .null: break
    case .array(let keys):
      guard keys.isEmpty else {
        throw reader.error(
          "it changes between \(keys.count + 1) keys (additionalKeys), and one alone is followed",
          remedy: "give each key an entry of its own, to follow them as that many devices")
      }
    default: throw reader.error("additionalKeys is not a list")
    }
    return try FindMyDevice.make(
      try reader.findMyKey("privateKey"), name: try reader.string("name"))
  }
}
