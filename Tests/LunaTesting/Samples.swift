public import Bluetooth
public import LunaCore
public import LunaCrypto
public import LunaProtocol

/// Devices to test with; tests of a room add what is the room's.
public enum Samples {
  /// An identifier that can be told from others by its number.
  public static func uuid(_ number: UInt64) -> DeviceUUID { DeviceUUID(high: 1, low: number) }

  /// So many bytes of a kind.
  public static func secret(_ count: Int, _ byte: UInt8 = 7) -> SecretBytes {
    SecretBytes(copying: [UInt8](repeating: byte, count: count).span)
  }

  /// A LunaTracker that can be told from others by its number.
  ///
  /// - Parameter key: what its key is made of, its number when nil.
  public static func device(_ number: UInt8, key: UInt8? = nil, name: String? = nil) -> Device {
    Device(
      uuid: uuid(UInt64(number)),
      masterKey: MasterKey(bytes: InlineArray(repeating: key ?? number)),
      onboardingTimestamp: Timestamp(microseconds: 1_700_000_000_000_000),
      name: name ?? "device \(number)")
  }

  /// One of each kind, with names that have to be escaped.
  ///
  /// - Parameter alignedAt: the time of an alignment record.
  public static func oneOfEach(
    alignedAt: Timestamp = Timestamp(microseconds: 1_710_000_000_000_005)
  ) -> [Device] {
    let alignment = FindMyKeys.Alignment(time: alignedAt, index: 77)
    let keys: [DeviceKeys?] = [
      .luna(MasterKey(bytes: InlineArray(repeating: 1))),
      EddystoneKeys(identityKey: secret(16), exponent: 12, counter: 0xFFFF_FFFE)
        .map { .eddystoneEID($0) },
      FindMyKeys(
        masterKey: secret(28), primarySecret: secret(32, 8), secondarySecret: secret(32, 9)
      ).map { .appleFindMy($0) },
      FindMyKeys(
        masterKey: secret(28, 1), primarySecret: secret(32, 8), secondarySecret: secret(32, 9),
        alignment: alignment
      ).map { .appleFindMy($0) },
      FindHubKeys(identityKey: secret(32), counter: 9).map { .googleFindHub($0) },
      FindHubKeys(identityKey: secret(32, 3), counter: 9, curve: .secp256r1)
        .map { .googleFindHub($0) },
      IdentityResolvingKey(secret(16)).map { .resolvableAddress($0) },
      FindMyKey(secret(28, 4)).map { .appleFindMyKey($0) },
    ]
    return keys.enumerated().compactMap { index, keys in
      keys.map {
        Device(
          uuid: uuid(UInt64(index)), keys: $0,
          onboardingTimestamp: Timestamp(microseconds: 1_700_000_000_123_456),
          name: "Jürgen's \"\(index)\"\n\u{1F511}", isUnauthenticated: index == 0)
      }
    }
  }
}
