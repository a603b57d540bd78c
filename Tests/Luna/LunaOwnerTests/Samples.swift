import Bluetooth
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol
import LunaTesting

/// Files to test with.
extension Samples {
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
