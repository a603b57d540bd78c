package import Bluetooth
package import Diagnosis
package import LunaCrypto
package import LunaJSON
import LunaProtocol

/// Reads the members of an entry of a file of devices; what is missing or wrong throws its name.
package struct DeviceEntryReader {
  private let object: JSONObject
  /// How messages call the entry.
  package let label: String

  /// A reader of the entry with a number, counted from 1.
  package init(_ object: JSONObject, number: Int) {
    self.object = object
    if case .string(let name)? = object["name"] {
      label = DeviceEntry.label(number, name)
    } else {
      label = DeviceEntry.label(number, nil)
    }
  }

  /// An error about this entry.
  package func error(_ problem: String, remedy: Remedy? = nil) -> DeviceFileError {
    DeviceFileError(problem, entry: label, remedy: remedy)
  }

  /// A text; nil when it is missing or null.
  package func string(_ name: String) throws(DeviceFileError) -> String? {
    switch object[name] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw error("\(name) is not a text")
    }
  }

  /// A whole number that fits; nil when it is missing or null.
  package func integer<Number: FixedWidthInteger>(
    _ name: String, as type: Number.Type = Number.self
  ) throws(DeviceFileError) -> Number? {
    switch object[name] {
    case nil, .null: return nil
    case .integer(let value):
      if let number = Number(exactly: value) { return number }
      throw error("\(name) is out of range")
    default: throw error("\(name) is not a whole number")
    }
  }

  /// A time in RFC 3339 or Unix s; nil when it is missing or null.
  package func time(_ name: String) throws(DeviceFileError) -> Timestamp? {
    if case .integer(let seconds)? = object[name] {
      guard (0...Int64(UInt32.max)).contains(seconds) else { throw outOfTime(name) }
      return Timestamp(microseconds: seconds * 1_000_000)
    }
    guard let text = try string(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw error("\(name) is not a time such as 2026-11-21T10:00:00Z")
    }
    guard Timestamp.wireTimes.contains(time) else { throw outOfTime(name) }
    return time
  }

  private func outOfTime(_ name: String) -> DeviceFileError {
    error("\(name) is not between 1970 and 2106")
  }

  /// A key in hexadecimal digits.
  package func secret(_ name: String, count: Int) throws(DeviceFileError) -> SecretBytes {
    guard let text = try string(name) else { throw error("\(name) is missing") }
    guard var bytes = Hex.bytes(text) else { throw error("\(name) is not hexadecimal") }
    defer { wipe(&bytes) }
    guard bytes.count == count else {
      throw error("\(name) has \(bytes.count) bytes, not \(count)")
    }
    return SecretBytes(copying: bytes.span)
  }

  func device() throws(DeviceFileError) -> Device {
    let kindText = try string("kind") ?? DeviceKind.luna.rawValue
    guard let kind = DeviceKind(rawValue: kindText) else {
      let known = DeviceKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("kind \"\(kindText)\" is not known", remedy: "known are \(known)")
    }
    let keys = try keys(kind)
    // Where a clock is followed, it must be known when it was right.
    let unneeded = kind.hasClock ? nil : Timestamp(microseconds: 0)
    guard let onboarded = try time("onboardingTimestamp") ?? unneeded else {
      throw error("onboardingTimestamp is missing")
    }
    if case .appleFindMy(let keys) = keys {
      try check(keys.alignment, "alignmentIndex", pairedAt: onboarded)
    }
    var isUnauthenticated = false
    switch object["unauthenticated"] {
    case nil, .null: break
    case .bool(let value): isUnauthenticated = value
    default: throw error("unauthenticated is not true or false")
    }
    let uuid = try uuid(for: keys)
    // By an empty name nobody could ask for it.
    let name = try string("name").flatMap { $0.isEmpty ? nil : $0 }
    return Device(
      uuid: uuid, keys: keys, onboardingTimestamp: onboarded,
      name: name ?? uuid.description, isUnauthenticated: isUnauthenticated)
  }

  /// LunaTrackers give themselves a uuid; others get one that follows from their key, so that
  /// reading the file again finds the same device.
  private func uuid(for keys: DeviceKeys) throws(DeviceFileError) -> DeviceUUID {
    guard let text = try string("uuid") else {
      if keys.kind == .luna { throw error("uuid is missing") }
      return try DeviceFile.fingerprint(keys)
    }
    guard let uuid = DeviceUUID(text) else { throw error("uuid is not a UUID") }
    return uuid
  }

  private func keys(_ kind: DeviceKind) throws(DeviceFileError) -> DeviceKeys {
    let keys: DeviceKeys?
    switch kind {
    case .luna:
      keys = MasterKey(try secret("masterKey", count: MasterKey.byteCount)).map { .luna($0) }
    case .eddystoneEID:
      guard let exponent: UInt8 = try integer("exponent"),
        exponent <= EddystoneEIDDeriver.largestExponent
      else { throw error("exponent is not a whole number from 0 to 15") }
      keys = EddystoneKeys(
        identityKey: try secret("identityKey", count: EddystoneEIDDeriver.keyCount),
        exponent: exponent, counter: try integer("counter") ?? 0
      ).map { .eddystoneEID($0) }
    case .appleFindMy:
      keys = FindMyKeys(
        masterKey: try secret("masterKey", count: FindMyKeys.masterKeyCount),
        primarySecret: try secret("primarySecret", count: FindMyKeys.secretCount),
        secondarySecret: try secret("secondarySecret", count: FindMyKeys.secretCount),
        alignment: try alignment(time: "alignmentTimestamp", index: "alignmentIndex")
      ).map { .appleFindMy($0) }
    case .appleFindMyKey:
      keys = FindMyKey(try secret("privateKey", count: FindMyKey.byteCount))
        .map { .appleFindMyKey($0) }
    case .googleFindHub:
      keys = FindHubKeys(
        identityKey: try secret("identityKey", count: FindHubKeys.keyCount),
        counter: try integer("counter") ?? 0, curve: try curve()
      ).map { .googleFindHub($0) }
    case .resolvableAddress:
      keys = IdentityResolvingKey(
        try secret("identityResolvingKey", count: IdentityResolvingKey.byteCount)
      ).map { .resolvableAddress($0) }
    case .lunaShared: throw error("what somebody has shared does not come by such a file")
    }
    guard let keys else { throw error("its keys are not valid") }
    return keys
  }

  private func curve() throws(DeviceFileError) -> FindHubEIDDeriver.Curve {
    guard let name = try string("curve") else { return .secp160r1 }
    guard let curve = FindHubEIDDeriver.Curve(rawValue: name) else {
      let known = FindHubEIDDeriver.Curve.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("curve \"\(name)\" is not known", remedy: "known are \(known)")
    }
    return curve
  }

  /// A place in the sequence of keys; nil unless both members are there.
  package func alignment(
    time timeName: String, index indexName: String
  ) throws(DeviceFileError) -> FindMyKeys.Alignment? {
    guard let time = try time(timeName), let index: UInt32 = try integer(indexName) else {
      return nil
    }
    return FindMyKeys.Alignment(time: time, index: index)
  }

  /// Refuses a place in the sequence of keys that cannot have been reached.
  ///
  /// - Parameters:
  ///   - name: the member that says it.
  ///   - pairedAt: when the sequence began.
  package func check(
    _ alignment: FindMyKeys.Alignment?, _ name: String, pairedAt: Timestamp
  ) throws(DeviceFileError) {
    guard let alignment, !alignment.isPlausible(pairedAt: pairedAt) else { return }
    throw error("\(name) cannot have been reached, at a key every 15 minutes")
  }
}
