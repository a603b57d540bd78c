/// A link was made, or could not be made: the events LE Connection Complete and LE Enhanced
/// Connection Complete (Core Specification, Vol 4, Part E, 7.7.65.1 and 7.7.65.10).
public struct LEConnectionComplete: Hashable, Sendable {
  /// How it went; only a success has the other fields.
  public let status: HCIStatus
  /// The link, 12 bits.
  public let handle: UInt16
  /// Whether this side is the central.
  public let isCentral: Bool
  /// The other side's address.
  public let peer: BluetoothAddress
  /// The type of that address.
  public let peerType: AddressType

  /// Reads an event from its code on.
  ///
  /// - Returns: nil for other events, and for one that ends too early.
  public init?(event bytes: Span<UInt8>) {
    guard bytes.count >= 3, bytes[0] == HCIEventCode.leMeta else { return nil }
    let end = min(bytes.count, 2 + Int(bytes[1]))
    let needed: Int
    switch bytes[2] {
    // subevent, status, handle 2, role, address type, address 6, [resolvable addresses 6 and 6,]
    // interval 2, latency 2, time-out 2, clock accuracy
    case HCIEventCode.leConnectionComplete: needed = 2 + 19
    case HCIEventCode.leEnhancedConnectionComplete: needed = 2 + 31
    default: return nil
    }
    guard end >= needed, let handle = bytes.littleEndianWord(at: 4),
      let peer = BluetoothAddress(littleEndian: bytes, at: 8)
    else { return nil }
    status = HCIStatus(rawValue: bytes[3])
    self.handle = handle & 0x0FFF
    isCentral = bytes[6] == 0
    self.peer = peer
    peerType = AddressType(rawValue: bytes[7])
  }
}
