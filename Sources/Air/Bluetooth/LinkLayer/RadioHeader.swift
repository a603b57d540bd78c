/// The radio header of link type 256
/// (https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html): RF channel, signal,
/// noise, access address offences, reference access address 4, flags 2; little-endian.
public enum RadioHeader {
  /// How many bytes of it stand before the access address.
  public static let count = 10

  /// Reads it.
  ///
  /// - Returns: nil when `bytes` are too short.
  public static func frame(_ bytes: Span<UInt8>) -> LinkLayerFrame? {
    guard bytes.count >= count else { return nil }
    var frame = LinkLayerFrame(start: count)
    let flags = bytes.littleEndian(UInt16.self, at: 8)
    if flags & 0x0002 != 0 { frame.rssi = Int8(bitPattern: bytes[1]) }
    // What is whitened still cannot be read, whatever its checksum: it is checked as it stands.
    let isReadable = flags & 0x0001 != 0
    if flags & 0x0400 != 0, isReadable || flags & 0x0800 == 0 {
      frame.checksumIsRight = flags & 0x0800 != 0
    }
    frame.phy = PHY(linkLayer: UInt8(truncatingIfNeeded: flags >> 14))
    frame.channel = channelIndex(rf: bytes[0])
    switch flags >> 7 & 7 {
    case 0, 7: frame.kind = .unknown
    case 1:
      frame.kind = .advertising
      frame.auxiliary = .init(rawValue: UInt8(truncatingIfNeeded: flags >> 12 & 3))
    default: frame.kind = .data
    }
    return frame
  }

  /// The channel index of the RF channel at 2402 MHz + 2 MHz × `rf`
  /// (Core Specification, Vol 6, Part B, 1.4.1).
  static func channelIndex(rf: UInt8) -> UInt8? {
    switch rf {
    case 0: 37
    case 1...11: rf - 1
    case 12: 38
    case 13...38: rf - 2
    case 39: 39
    default: nil
    }
  }
}

extension PHY {
  /// A PHY from the number in link-layer PDUs and radio captures: 0 LE 1M, 1 LE 2M, 2 LE Coded.
  init(linkLayer number: UInt8) { self = number <= 2 ? PHY(rawValue: number + 1) : .none }
}
