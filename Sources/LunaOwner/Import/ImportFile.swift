import Bluetooth
public import LunaCore
import LunaJSON

/// The files from which devices can be taken: Luna's own, and what FindMy.py writes of accessories
/// of Apple's Find My network (JSON, or the decrypted record as an XML property list).
public enum ImportFile {
  /// The devices of a file.
  ///
  /// - Throws: ``DeviceFileError`` when it is none of the kinds, or an entry is wrong: then it says
  ///   which.
  public static func devices(_ bytes: [UInt8]) throws(DeviceFileError) -> [Device] {
    // Some editors put a byte order mark in front.
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    if bytes.starts(with: Array("bplist".utf8)) {
      throw DeviceFileError(
        "it is a binary property list", hint: "convert it: plutil -convert xml1 FILE")
    }
    let start = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    switch start {
    case nil: throw DeviceFileError("it is empty")
    case UInt8(ascii: "<"): return [try FindMyPropertyList.device(try PropertyList(xml: bytes))]
    default: return try json(bytes)
    }
  }

  private static func json(_ bytes: [UInt8]) throws(DeviceFileError) -> [Device] {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONReader.read(bytes)
    } catch {
      throw DeviceFileError(
        "it is neither JSON nor an XML property list: \(error)",
        hint: "luna owner export writes files that can be imported")
    }
    let entries: [JSONValue] = if case .array(let entries) = value { entries } else { [value] }
    guard entries.allSatisfy(FindMyJSON.isAccessory), !entries.isEmpty else {
      return try DeviceFile.decode(value)
    }
    var devices: [Device] = []
    for (index, entry) in entries.enumerated() {
      devices.append(try FindMyJSON.device(entry, number: index + 1))
    }
    try DeviceFile.refuseTwins(devices)
    return devices
  }
}
