import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto

/// The record of an accessory as the Find My application keeps it, decrypted.
enum FindMyPropertyList {
  /// - Parameter alignment: the key alignment record of the accessory, where there is one.
  static func device(
    _ list: PropertyList, alignment: PropertyList? = nil
  ) throws(DeviceFileError) -> Device {
    guard case .dictionary(let record) = list else {
      throw DeviceFileError(
        "it is not an accessory record",
        remedy: "records of the Find My application are encrypted: let FindMy.py decrypt them")
    }
    guard case .date(let pairedAt)? = record["pairingDate"] else {
      throw DeviceFileError("the date pairingDate is missing")
    }
    guard Timestamp.wireTimes.contains(pairedAt) else {
      throw DeviceFileError("pairingDate is not between 1970 and 2106")
    }
    // AirTags have the first, Apple's own devices the second.
    let secondary = ["secondarySharedSecret", "secureLocationsSharedSecret"].first {
      record[$0] != nil
    }
    // The private key stands at the end of a larger structure.
    let keys = FindMyKeys(
      masterKey: try key("privateKey", of: record, last: FindMyKeys.masterKeyCount),
      primarySecret: try key("sharedSecret", of: record),
      secondarySecret: try key(secondary ?? "secondarySharedSecret", of: record),
      alignment: try (alignment ?? included(in: record)).map { list throws(DeviceFileError) in
        try Self.alignment(list, pairedAt)
      })
    guard let keys else { throw DeviceFileError("its keys are not valid") }
    return try FindMyDevice.make(
      .appleFindMy(keys), pairedAt: pairedAt, name: record["name"]?.text,
      model: record["model"]?.text, identifier: record["identifier"]?.text)
  }

  /// The alignment that some programs write into the record itself: as members of it, or as a
  /// dictionary of their own.
  private static func included(in record: [String: PropertyList]) -> PropertyList? {
    if case .dictionary(let inner)? = record["alignment"] {
      // Without a date the accessory was not observed yet.
      return inner["lastIndexObservationDate"] == nil ? nil : .dictionary(inner)
    }
    return record["lastIndexObserved"] == nil ? nil : .dictionary(record)
  }

  /// Where an accessory was in the sequence of its keys when it was seen last
  /// (`FindMyAccessory.from_plist` of FindMy.py takes the same members).
  private static func alignment(
    _ list: PropertyList, _ pairedAt: Timestamp
  ) throws(DeviceFileError) -> FindMyKeys.Alignment {
    let problem = "the key alignment record is wrong: "
    guard case .dictionary(let record) = list else {
      throw DeviceFileError(problem + "it is not a dictionary")
    }
    guard case .date(let time)? = record["lastIndexObservationDate"] else {
      throw DeviceFileError(problem + "the date lastIndexObservationDate is missing")
    }
    guard case .integer(let number)? = record["lastIndexObserved"],
      let index = UInt32(exactly: number)
    else { throw DeviceFileError(problem + "lastIndexObserved is no index") }
    let alignment = FindMyKeys.Alignment(time: time, index: index)
    guard alignment.isPlausible(pairedAt: pairedAt) else {
      throw DeviceFileError(
        problem + "lastIndexObserved cannot have been reached, at a key each 15 minutes")
    }
    return alignment
  }

  /// `name`.key.data: as many bytes as a shared secret has, or the last ones of more.
  private static func key(
    _ name: String, of record: [String: PropertyList], last count: Int? = nil
  ) throws(DeviceFileError) -> SecretBytes {
    guard case .dictionary(let outer)? = record[name], case .dictionary(let inner)? = outer["key"],
      case .data(var bytes)? = inner["data"]
    else { throw DeviceFileError("the data \(name).key.data are missing") }
    defer { wipe(&bytes) }
    let wanted = count ?? FindMyKeys.secretCount
    guard count == nil ? bytes.count == wanted : bytes.count >= wanted else {
      throw DeviceFileError("\(name).key.data has \(bytes.count) bytes, not \(wanted)")
    }
    return SecretBytes(copying: bytes.span.extracting(last: wanted))
  }
}
