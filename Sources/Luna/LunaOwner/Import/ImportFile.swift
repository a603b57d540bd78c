import Bluetooth
import Diagnosis
public import LunaCore
import LunaJSON

/// The files from which devices can be taken: Luna's own, what FindMy.py writes of accessories
/// of Apple's Find My network (JSON, or the decrypted record as an XML property list), and the keys
/// of home-made tags as FindMy.py, OpenHaystack and macless-haystack write them.
public enum ImportFile {
  /// The devices of a file.
  ///
  /// - Parameter alignment: the key alignment record (an XML property list) that goes with the record
  ///   of an accessory.
  /// - Throws: ``LunaCore/DeviceFileError`` when it is none of the kinds, or an entry is wrong:
  ///   then it says which.
  public static func devices(
    _ bytes: [UInt8], alignment: [UInt8]? = nil
  ) throws(DeviceFileError) -> [Device] {
    let bytes = try text(bytes)
    guard try isPropertyList(bytes) else {
      guard alignment == nil else {
        throw DeviceFileError(
          "a key alignment record belongs to an accessory record, which this is not",
          remedy: "files in JSON hold their alignment themselves")
      }
      guard !HaystackKeyFile.isKeyFile(bytes) else { return [try HaystackKeyFile.device(bytes)] }
      return try json(bytes)
    }
    let list = try PropertyList(xml: bytes)
    guard let alignment else { return [try FindMyPropertyList.device(list)] }
    let record = try text(alignment)
    guard try isPropertyList(record) else {
      throw DeviceFileError("the key alignment record is not an XML property list")
    }
    return [try FindMyPropertyList.device(list, alignment: try PropertyList(xml: record))]
  }

  /// What stands in a file, without the byte order mark that some editors put in front.
  private static func text(_ bytes: [UInt8]) throws(DeviceFileError) -> [UInt8] {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    if bytes.starts(with: Array("bplist".utf8)) {
      throw DeviceFileError(
        "it is a binary property list",
        remedy: "convert it: plistutil -i FILE -o FILE.xml, or on a Mac plutil -convert xml1 FILE")
    }
    return bytes
  }

  private static func isPropertyList(_ bytes: [UInt8]) throws(DeviceFileError) -> Bool {
    guard let start = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      throw DeviceFileError("it is empty")
    }
    return start == UInt8(ascii: "<")
  }

  private static func json(_ bytes: [UInt8]) throws(DeviceFileError) -> [Device] {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONReader.read(bytes)
    } catch {
      throw DeviceFileError(
        "it is neither JSON, nor an XML property list, nor a file of keys: \(error)",
        remedy: "\(.export) writes files that can be imported")
    }
    let entries: [JSONValue] = if case .array(let entries) = value { entries } else { [value] }
    let isFindMy = entries.allSatisfy(FindMyJSON.isAccessory)
    guard !entries.isEmpty, isFindMy || entries.allSatisfy(HaystackJSON.isTag) else {
      return try DeviceFile.decode(value)
    }
    var devices: [Device] = []
    for (index, entry) in entries.enumerated() {
      devices.append(
        try isFindMy
          ? FindMyJSON.device(entry, number: index + 1)
          : HaystackJSON.device(entry, number: index + 1))
    }
    try DeviceFile.refuseTwins(devices)
    return devices
  }
}
