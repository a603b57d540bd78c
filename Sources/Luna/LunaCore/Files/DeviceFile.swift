import Diagnosis
import LunaCrypto
public import LunaJSON
public import LunaProtocol

/// The file by which devices with their keys go from one place to another:
/// `{"format":"luna-devices","version":1,"devices":[…]}`. Whoever can read it can follow the devices.
public enum DeviceFile {
  /// The version that is written, the only one so far.
  public static let version = 1

  /// The text of some devices. Those that somebody else has shared are left out: they are not handed on.
  public static func encode(_ devices: [Device]) -> String {
    let entries = devices.filter { $0.shared == nil }.map {
      "  " + JSONValue.object(DeviceEntry.encode($0)).description
    }
    return """
      {"format":"luna-devices","version":\(version),"devices":[
      \(entries.joined(separator: ",\n"))
      ]}

      """
  }

  /// The devices of a text.
  ///
  /// - Throws: ``DeviceFileError`` when it is no such file, is of another version, or an entry is
  ///   wrong: then it says which.
  public static func decode(_ bytes: [UInt8]) throws(DeviceFileError) -> [Device] {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONReader.read(bytes)
    } catch {
      throw DeviceFileError("it is not JSON: \(error)")
    }
    return try decode(value)
  }

  /// The devices of a JSON value.
  ///
  /// - Throws: as ``decode(_:)-([UInt8])``.
  public static func decode(_ value: JSONValue) throws(DeviceFileError) -> [Device] {
    guard case .object(let root) = value, root["format"] == .string("luna-devices") else {
      throw DeviceFileError(
        "it is no file of devices: its member format is not \"luna-devices\"",
        remedy: "\(.export) writes such files")
    }
    guard case .integer(let version)? = root["version"] else {
      throw DeviceFileError("the number version is missing")
    }
    guard version == Self.version else {
      throw DeviceFileError(
        "version \(version) is not known, only \(Self.version)",
        remedy: "use the version of Luna that wrote it, or a newer one")
    }
    guard case .array(let entries)? = root["devices"] else {
      throw DeviceFileError("the list devices is missing")
    }
    var devices: [Device] = []
    for (index, entry) in entries.enumerated() {
      devices.append(try DeviceEntry.decode(entry, number: index + 1))
    }
    try refuseTwins(devices)
    return devices
  }

  /// Refuses devices of which two have the same uuid, or the same key; or one has that of a device
  /// that is there already.
  public static func refuseTwins(
    _ devices: [Device], besides present: [Device] = []
  ) throws(DeviceFileError) {
    var byUUID: [DeviceUUID: Int] = [:]
    var byKey: [DeviceUUID: Int] = [:]
    func label(_ index: Int) -> String { DeviceEntry.label(index + 1, devices[index].name) }
    let present = Dictionary(
      try present.map { device throws(DeviceFileError) in (try fingerprint(device.keys), device) }
    ) { $1 }
    for (index, device) in devices.enumerated() {
      if let earlier = byUUID.updateValue(index, forKey: device.uuid) {
        throw DeviceFileError("it has the uuid of \(label(earlier))", entry: label(index))
      }
      let fingerprint = try fingerprint(device.keys)
      if let other = present[fingerprint] {
        throw DeviceFileError(
          "it has the same key as \(other.name), which is there already", entry: label(index),
          remedy: "two trackers never share a key: forget that one, or remove the entry")
      }
      if let earlier = byKey.updateValue(index, forKey: fingerprint) {
        throw DeviceFileError(
          "it has the same key as \(label(earlier))", entry: label(index),
          remedy: "two trackers never share a key: remove one of the entries")
      }
    }
  }

  /// A UUID that follows from the key of a device (RFC 9562, version 8): for devices of makers that
  /// give them none, and to tell keys apart. It says nothing about the key.
  ///
  /// - Throws: ``DeviceFileError`` when libcrypto does not offer SHA-256.
  public static func fingerprint(_ keys: DeviceKeys) throws(DeviceFileError) -> DeviceUUID {
    do throws(CryptoError) {
      var hash = try SHA256()
      hash.update(Array("luna/uuid/\(keys.kind.rawValue)".utf8).span)
      keys.identitySecret.withBytes { hash.update($0) }
      let digest = hash.finalize()
      return DeviceUUID(derived: InlineArray { digest[$0] })
    } catch {
      throw DeviceFileError(error.description)
    }
  }
}

extension DeviceUUID {
  /// A UUID of version 8 with the other bits of a hash.
  fileprivate init(derived bytes: InlineArray<16, UInt8>) {
    var (high, low): (UInt64, UInt64) = (0, 0)
    for index in 0..<8 {
      high = high << 8 | UInt64(bytes[index])
      low = low << 8 | UInt64(bytes[index + 8])
    }
    self.init(high: high & ~0xF000 | 0x8000, low: low & ~(0b11 << 62) | 0b10 << 62)
  }
}
