import LunaCore
import LunaJSON
import LunaProtocol

/// An accessory as FindMy.py writes it (`FindMyAccessory.to_json`): `master_key`, `skn`, `sks`,
/// `paired_at`, `name`, `model`, `identifier`, and in newer versions `type`, `alignment_date` and
/// `alignment_index`. Or a tag with a fixed key (`KeyPair.to_json`): `type`, `private_key` in base64,
/// `key_type` and `name`.
enum FindMyJSON {
  static func isAccessory(_ value: JSONValue) -> Bool {
    guard case .object(let object) = value, object["format"] == nil else { return false }
    return object["master_key"] != nil || object["skn"] != nil || object["private_key"] != nil
      || object["type"] != nil
  }

  static func device(_ value: JSONValue, number: Int) throws(DeviceFileError) -> Device {
    guard case .object(let object) = value else {
      throw DeviceFileError("it is not an object", entry: "entry \(number)")
    }
    let reader = DeviceEntryReader(object, number: number)
    let isAccessory = object["master_key"] != nil || object["skn"] != nil
    switch try reader.string("type") ?? (isAccessory ? "accessory" : "keypair") {
    case "accessory": return try accessory(reader)
    case "keypair": return try keyPair(reader)
    case let type:
      throw reader.error("its type is \"\(type)\", neither \"accessory\" nor \"keypair\"")
    }
  }

  private static func keyPair(_ reader: DeviceEntryReader) throws(DeviceFileError) -> Device {
    let key = try reader.findMyKey("private_key")
    return try FindMyDevice.make(
      key, name: try reader.string("name"), identifier: try reader.string("identifier"))
  }

  private static func accessory(_ reader: DeviceEntryReader) throws(DeviceFileError) -> Device {
    guard let pairedAt = try reader.time("paired_at") else {
      throw reader.error("paired_at is missing")
    }
    var alignment = try reader.alignment(time: "alignment_date", index: "alignment_index")
    try reader.check(alignment, "alignment_index", pairedAt: pairedAt)
    // What FindMy.py writes of an accessory that it has not located yet.
    if alignment == FindMyKeys.Alignment(time: pairedAt, index: 0) { alignment = nil }
    let keys = FindMyKeys(
      masterKey: try reader.secret("master_key", count: FindMyKeys.masterKeyCount),
      primarySecret: try reader.secret("skn", count: FindMyKeys.secretCount),
      secondarySecret: try reader.secret("sks", count: FindMyKeys.secretCount),
      alignment: alignment)
    guard let keys else { throw reader.error("its keys are not valid") }
    return try FindMyDevice.make(
      .appleFindMy(keys), pairedAt: pairedAt, name: try reader.string("name"),
      model: try reader.string("model"), identifier: try reader.string("identifier"))
  }
}
