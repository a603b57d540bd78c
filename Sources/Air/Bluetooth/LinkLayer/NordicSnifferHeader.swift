/// The headers of link type 272, the nRF Sniffer for Bluetooth LE, in all its versions
/// (Wireshark `epan/dissectors/packet-nordic_ble.c` describes them).
///
/// Version 0: marker BE EF, packet id, counter 2, unused 2, payload length 1. Version 1: board,
/// header length, payload length 1, version, counter 2, id. From version 2: board, payload length 2,
/// version, counter 2, id. Then, in the payload: the length of what follows up to the packet (not in
/// version 0), flags, channel, RSSI, event counter 2, time 4. So the packet starts at the same place
/// in all versions.
public enum NordicSnifferHeader {
  /// The bytes before the packet.
  public static let count = 17

  /// Reads the headers.
  ///
  /// - Returns: nil when `bytes` are too short, or their lengths contradict each other.
  public static func frame(_ bytes: Span<UInt8>) -> LinkLayerFrame? {
    guard bytes.count >= count else { return nil }
    let version = bytes[0] == 0xBE && bytes[1] == 0xEF ? 0 : bytes[3]
    let total =
      switch version {
      case 0: 8 + Int(bytes[7])
      case 1: 1 + Int(bytes[1]) + Int(bytes[2])
      default: 7 + Int(bytes.littleEndian(UInt16.self, at: 1))
      }
    guard total == bytes.count else { return nil }

    var frame = LinkLayerFrame(start: count)
    let flags = bytes[8]
    let channel = bytes[9]
    frame.checksumIsRight = flags & 1 != 0
    frame.phy = PHY(linkLayer: flags >> 4 & 7)
    frame.channel = channel
    // a positive number that stands for a negative one
    frame.rssi = Int8(exactly: -Int(bytes[10]))
    if version >= 3 {
      switch bytes[6] {
      case 0x02: frame.kind = .advertising
      case 0x06: frame.kind = .data
      default: frame.kind = .unknown
      }
    }
    if channel < 37 { frame.auxiliary = .init(rawValue: flags >> 1 & 3) }
    return frame
  }
}
