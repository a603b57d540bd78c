import Bluetooth
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol

/// Devices and files to test with.
enum Samples {
  static func uuid(_ number: UInt64) -> DeviceUUID { DeviceUUID(high: 1, low: number) }

  static func secret(_ count: Int, _ byte: UInt8 = 7) -> SecretBytes {
    SecretBytes(copying: [UInt8](repeating: byte, count: count).span)
  }

  static func device(_ number: UInt8, key: UInt8? = nil, name: String? = nil) -> Device {
    Device(
      uuid: uuid(UInt64(number)),
      masterKey: MasterKey(bytes: InlineArray(repeating: key ?? number)),
      onboardingTimestamp: Timestamp(microseconds: 1_700_000_000_000_000),
      name: name ?? "device \(number)")
  }

  static func oneOfEach() throws -> [Device] {
    let alignment = FindMyKeys.Alignment(
      time: Timestamp(microseconds: 1_710_000_000_000_005), index: 77)
    let keys: [DeviceKeys?] = [
      .luna(MasterKey(bytes: InlineArray(repeating: 1))),
      EddystoneKeys(identityKey: secret(16), exponent: 12, counter: 9).map { .eddystoneEID($0) },
      FindMyKeys(
        masterKey: secret(28), primarySecret: secret(32, 8), secondarySecret: secret(32, 9),
        alignment: alignment
      ).map { .appleFindMy($0) },
      FindHubKeys(identityKey: secret(32), counter: 9).map { .googleFindHub($0) },
      FindHubKeys(identityKey: secret(32, 3), counter: 9, curve: .secp256r1)
        .map { .googleFindHub($0) },
      IdentityResolvingKey(secret(16)).map { .resolvableAddress($0) },
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

  static func hex(_ byte: String, _ count: Int) -> String { String(repeating: byte, count: count) }

  /// What FindMy.py writes of an accessory.
  static func findMy(
    masterKey: String = hex("0a", 28), skn: String = hex("0b", 32), type: String = "accessory",
    more: String = #","alignment_date":null,"alignment_index":null"#
  ) -> String {
    """
    {"type":"\(type)","master_key":"\(masterKey)","skn":"\(skn)","sks":"\(hex("0c", 32))",
    "paired_at":"2024-03-20T12:34:56.789000+01:00","name":"Keys","model":"AirTag",
    "identifier":"0F14A7C4-98C3-4D5C-9F0E-2D2A6B1C3E4F"\(more)}
    """
  }

  /// A key alignment record as `plistlib` writes it.
  static func alignment(
    date: String = "<date>2025-01-01T00:00:00Z</date>", index: String = "<integer>27000</integer>"
  ) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
      <key>beaconIdentifier</key><string>0F14A7C4-98C3-4D5C-9F0E-2D2A6B1C3E4F</string>
      <key>lastIndexObservationDate</key>\(date)
      <key>lastIndexObserved</key>\(index)
    </dict></plist>
    """
  }

  /// A record as `plistlib` writes it.
  static func record(
    secondary: String = "secondarySharedSecret", privateKeyBytes: Int = 85,
    head: String = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    """
  ) -> String {
    func data(_ bytes: [UInt8]) -> String {
      "<dict><key>key</key><dict><key>data</key><data>\n\t\(Base64.encode(bytes.span))\n\t</data></dict></dict>"
    }
    let privateKey =
      [UInt8](repeating: 4, count: max(0, privateKeyBytes - 28))
      + [UInt8](repeating: 10, count: min(28, privateKeyBytes))
    return """
      \(head)
      <plist version="1.0">
      <!-- a record -->
      <dict>
        <key>identifier</key><string>0F14A7C4-98C3-4D5C-9F0E-2D2A6B1C3E4F</string>
        <key>model</key><string>Tom &amp; J&#xE9;rry</string>
        <key>pairingDate</key><date>2024-03-20T11:34:56Z</date>
        <key>privateKey</key>\(data(privateKey))
        <key>sharedSecret</key>\(data([UInt8](repeating: 11, count: 32)))
        <key>\(secondary)</key>\(data([UInt8](repeating: 12, count: 32)))
        <key>batteryLevel</key><integer>1</integer><key>groups</key><array/>
        <key>cloud</key><true/><key>level</key><real>0.5</real>
      </dict>
      </plist>

      """
  }
}
