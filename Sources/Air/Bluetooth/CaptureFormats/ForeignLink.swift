/// Names of link types and datalinks that Luna does not read, for error messages.
enum ForeignLink {
  /// A link type of pcap and pcapng.
  static func name(linkType: UInt16) -> String {
    let name: String? =
      switch linkType {
      case 0: "BSD loopback"
      case 1: "Ethernet"
      case 101, 228, 229: "raw IP"
      case 105: "Wi-Fi"
      case 113, 276: "Linux cooked"
      case 127: "Wi-Fi with radiotap"
      case 161: "Bluetooth HCI with a vendor's header"
      case 189, 220: "Linux USB"
      case 192: "PPI"
      case 195, 215, 230, 283: "IEEE 802.15.4"
      case 249: "USBPcap"
      case 255: "Bluetooth BR/EDR baseband"
      case 302: "Z-Wave"
      default: nil
      }
    return "link type \(linkType)" + (name.map { " (\($0))" } ?? "")
  }

  /// A datalink of btsnoop.
  static func name(datalink: UInt32) -> String {
    let name: String? =
      switch datalink {
      case 1003: "BCSP"
      case 1004: "H5, three-wire"
      case 2002: "BlueZ simulator"
      default: nil
      }
    return "datalink \(datalink)" + (name.map { " (\($0))" } ?? "")
  }
}
