/// A fragment of connection data (Core Specification, Vol 4, Part E, 5.4.2).
public struct HCIACLPacket: Hashable, Sendable {
  /// The connection, 12 bits.
  public let handle: UInt16
  /// The packet boundary flag: 0 first and not flushable, 1 continuing, 2 first.
  public let boundary: UInt8
  /// The broadcast flag: 0 point to point.
  public let broadcast: UInt8
  /// The octets of the fragment, at most 65,535.
  public let data: [UInt8]

  /// A fragment for a connection; data beyond 65,535 bytes are cut off.
  public init(handle: UInt16, boundary: UInt8, broadcast: UInt8 = 0, data: [UInt8]) {
    self.handle = handle & 0x0FFF
    self.boundary = boundary & 3
    self.broadcast = broadcast & 3
    self.data = Array(data.prefix(0xFFFF))
  }

  /// Reads a fragment without its H4 indicator.
  ///
  /// - Returns: nil when the bytes end before the data do.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 4 else { return nil }
    let count = Int(bytes[2]) | Int(bytes[3]) << 8
    guard bytes.count >= 4 + count else { return nil }
    let word = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    self.init(
      handle: word, boundary: UInt8(truncatingIfNeeded: word >> 12),
      broadcast: UInt8(truncatingIfNeeded: word >> 14), data: (0..<count).map { bytes[4 + $0] })
  }

  /// The packet, with the H4 indicator in front.
  public var h4Packet: [UInt8] {
    let word = handle | UInt16(boundary) << 12 | UInt16(broadcast) << 14
    return [
      HCIPacketType.acl.rawValue, UInt8(truncatingIfNeeded: word),
      UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: data.count),
      UInt8(truncatingIfNeeded: data.count >> 8),
    ] + data
  }
}
