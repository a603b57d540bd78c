/// The block types of pcapng that carry packets, or say how to read them
/// (https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcapng/). All others are passed over.
enum PcapngBlockType {
  /// Section Header: byte order and version of what follows. The same in both byte orders.
  static let sectionHeader: UInt32 = 0x0A0D_0D0A
  /// Interface Description: link type and time resolution.
  static let interface: UInt32 = 1
  /// Packet, of old programs.
  static let packet: UInt32 = 2
  /// Simple Packet: without a time.
  static let simplePacket: UInt32 = 3
  /// Enhanced Packet.
  static let enhancedPacket: UInt32 = 6

  /// Whether blocks of `type` are read, and not passed over.
  static func isRead(_ type: UInt32) -> Bool {
    switch type {
    case sectionHeader, interface, packet, simplePacket, enhancedPacket: true
    default: false
    }
  }

  /// Whether blocks of `type` are in use; asked only while looking for the next block after
  /// damage. Names, statistics, journal entries, secrets, custom blocks beside the above.
  static func isKnown(_ type: UInt32) -> Bool {
    type == sectionHeader || (1...10).contains(type) || type == 0xBAD || type == 0x4000_0BAD
  }
}
