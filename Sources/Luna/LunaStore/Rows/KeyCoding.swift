import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// The keys of a device as the column `keys` holds them before sealing: fixed layouts, numbers most
/// significant byte first.
enum KeyCoding {
  /// The caller wipes the bytes.
  static func encode(_ keys: DeviceKeys) -> [UInt8] {
    var bytes: [UInt8] = []
    // Room for the longest, so that growing leaves no copies behind.
    bytes.reserveCapacity(128 + (keys.kind == .lunaShared ? keys.identitySecret.count : 0))
    switch keys {
    case .luna(let key): append(key.secret, to: &bytes)
    case .eddystoneEID(let keys):
      append(keys.identityKey, to: &bytes)
      bytes.append(keys.exponent)
      append(UInt64(keys.counter), 4, to: &bytes)
    case .appleFindMy(let keys):
      append(keys.masterKey, to: &bytes)
      append(keys.primarySecret, to: &bytes)
      append(keys.secondarySecret, to: &bytes)
      if let alignment = keys.alignment {
        append(UInt64(alignment.index), 4, to: &bytes)
        append(UInt64(bitPattern: alignment.time.microseconds), 8, to: &bytes)
      }
    case .appleFindMyKey(let key): append(key.privateKey, to: &bytes)
    case .googleFindHub(let keys):
      append(keys.identityKey, to: &bytes)
      append(UInt64(keys.counter), 4, to: &bytes)
      // Only where it is not the usual one, which older versions know.
      if keys.curve == .secp256r1 { bytes.append(1) }
    case .resolvableAddress(let key): append(key.secret, to: &bytes)
    case .lunaShared(let shared):
      append(UInt64(shared.periods.first), 4, to: &bytes)
      append(UInt64(bitPattern: shared.until), 8, to: &bytes)
      bytes.append(shared.rights.status ? 1 : 0)
      bytes.append(UInt8(shared.rights.ring?.perPeriod ?? 0))
      bytes.append(UInt8(shared.rights.ring?.seconds ?? 0))
      append(shared.records, to: &bytes)
    }
    return bytes
  }

  /// - Returns: nil when the bytes are not keys of that kind.
  static func decode(_ bytes: [UInt8], kind: DeviceKind) -> DeviceKeys? {
    func secret(_ range: Range<Int>) -> SecretBytes {
      SecretBytes(copying: bytes.span.extracting(range))
    }
    func number(_ range: Range<Int>) -> UInt64 {
      bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
    switch (kind, bytes.count) {
    case (.luna, 32): return MasterKey(secret(0..<32)).map { .luna($0) }
    case (.eddystoneEID, 21):
      return EddystoneKeys(
        identityKey: secret(0..<16), exponent: bytes[16], counter: UInt32(number(17..<21))
      ).map { .eddystoneEID($0) }
    case (.appleFindMy, 92), (.appleFindMy, 104):
      let alignment =
        bytes.count == 92
        ? nil
        : FindMyKeys.Alignment(
          time: Timestamp(microseconds: Int64(bitPattern: number(96..<104))),
          index: UInt32(number(92..<96)))
      return FindMyKeys(
        masterKey: secret(0..<28), primarySecret: secret(28..<60),
        secondarySecret: secret(60..<92), alignment: alignment
      ).map { .appleFindMy($0) }
    case (.appleFindMyKey, 28): return FindMyKey(secret(0..<28)).map { .appleFindMyKey($0) }
    case (.googleFindHub, 36), (.googleFindHub, 37):
      guard bytes.count == 36 || bytes[36] == 1 else { return nil }
      return FindHubKeys(
        identityKey: secret(0..<32), counter: UInt32(number(32..<36)),
        curve: bytes.count == 36 ? .secp160r1 : .secp256r1
      ).map { .googleFindHub($0) }
    case (.resolvableAddress, 16):
      return IdentityResolvingKey(secret(0..<16)).map { .resolvableAddress($0) }
    case (.lunaShared, 15...):
      guard bytes[12] <= 1 else { return nil }
      let ring = RingRight(seconds: Int(bytes[14]), perPeriod: Int(bytes[13]))
      guard ring != nil || bytes[13] == 0 else { return nil }
      let rights = ShareRights(status: bytes[12] == 1, ring: ring)
      let (first, count) = (number(0..<4), (bytes.count - 15) / rights.recordCount)
      guard SharedPeriods.isRange(first: Int64(first), count: Int64(count)) else { return nil }
      return SharedPeriods(
        periods: PeriodRange(first: UInt32(first), last: UInt32(first) + UInt32(count) - 1),
        rights: rights, until: Int64(bitPattern: number(4..<12)), records: secret(15..<bytes.count)
      ).map { .lunaShared($0) }
    default: return nil
    }
  }

  private static func append(_ secret: SecretBytes, to bytes: inout [UInt8]) {
    secret.withBytes { for index in $0.indices { bytes.append($0[index]) } }
  }

  private static func append(_ number: UInt64, _ count: Int, to bytes: inout [UInt8]) {
    for index in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index)))
    }
  }
}
