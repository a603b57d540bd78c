/// A part of a message, or a word about the connection (RFC 6455, 5.2).
struct WebSocketFrame: Hashable, Sendable {
  /// How long a frame about the connection may be, bytes.
  static let controlLimit = 125

  let opcode: WebSocketOpcode
  /// Whether a message ends with it.
  let isFinal: Bool
  let payload: [UInt8]

  /// The frame as it is sent.
  ///
  /// - Parameter mask: that of a client, from its highest byte; nil for a server.
  func bytes(mask: UInt32?) -> [UInt8] {
    var bytes = [(isFinal ? 0x80 : 0) | opcode.rawValue]
    let masked: UInt8 = mask == nil ? 0 : 0x80
    switch payload.count {
    case ...125: bytes.append(masked | UInt8(payload.count))
    case ...0xFFFF:
      bytes.append(masked | 126)
      bytes += WebSocketFrame.bigEndian(UInt64(payload.count), 2)
    default:
      bytes.append(masked | 127)
      bytes += WebSocketFrame.bigEndian(UInt64(payload.count), 8)
    }
    guard let mask else { return bytes + payload }
    bytes += WebSocketFrame.bigEndian(UInt64(mask), 4)
    return bytes + WebSocketFrame.masked(payload[...], mask)
  }

  /// Bytes with a mask put on, or taken off (RFC 6455, 5.3).
  static func masked(_ bytes: ArraySlice<UInt8>, _ mask: UInt32) -> [UInt8] {
    bytes.enumerated().map { place, byte in
      byte ^ UInt8(truncatingIfNeeded: mask >> UInt32(24 - 8 * (place & 3)))
    }
  }

  private static func bigEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
    (1...count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - $0))) }
  }
}
