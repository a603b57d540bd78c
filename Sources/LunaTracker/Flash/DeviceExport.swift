import Bluetooth
import LunaCrypto
import LunaProtocol

/// The file by which trackers become one's own: what `luna owner import` reads.
public enum DeviceExport {
  /// The JSON text of devices with their names; holds their keys.
  public static func json(_ devices: [(name: String, ownership: TrackerRecord.Ownership)]) -> String
  {
    var text = "{\"format\":\"luna-devices\",\"version\":1,\"devices\":["
    for (index, device) in devices.enumerated() {
      let ownership = device.ownership
      text += index == 0 ? "\n" : ",\n"
      text += "{\"uuid\":\"\(ownership.uuid)\",\"name\":\(quoted(device.name)),"
      text += "\"masterKey\":\"\(ownership.masterKey.revealed)\","
      text += "\"onboardingTimestamp\":\(ownership.onboardingTimestamp)}"
    }
    return text + "\n]}\n"
  }

  /// A JSON string (RFC 8259, 7).
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20: result += "\\u00" + Hex.lower(UInt8(scalar.value))
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
