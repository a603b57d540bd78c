/// A basic frame (Core Specification, Vol 3, Part A, 3.1).
public struct L2CAPFrame: Hashable, Sendable {
  /// The bytes in front of the payload: length and channel, 2 each.
  static let headerCount = 4

  /// The channel; one of ``L2CAPChannel`` is of use.
  public let channel: UInt16
  /// What the channel carries, at most 65,535 octets.
  public let payload: [UInt8]

  /// A frame; a payload beyond 65,535 bytes is cut off.
  public init(channel: UInt16, payload: [UInt8]) {
    self.channel = channel
    self.payload = Array(payload.prefix(0xFFFF))
  }

  /// The packets that carry it over a link.
  ///
  /// - Parameters:
  ///   - handle: the link.
  ///   - size: the most data that the controller takes in a packet; at least 1.
  public func fragments(for handle: UInt16, size: Int) -> [HCIACLPacket] {
    let bytes = UInt16(payload.count).octets + channel.octets + payload
    let size = max(1, size)
    return stride(from: 0, to: bytes.count, by: size).map { start in
      HCIACLPacket(
        handle: handle, boundary: start == 0 ? 0 : 1,
        data: Array(bytes[start..<min(start + size, bytes.count)]))
    }
  }
}
