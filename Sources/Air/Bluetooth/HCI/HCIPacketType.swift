/// The packet indicator of the UART (H4) transport (Core Specification, Vol 4, Part A, 2).
public enum HCIPacketType: UInt8, Sendable {
  /// Host to controller.
  case command = 0x01
  /// Connection data, both ways.
  case acl = 0x02
  /// Synchronous data, both ways.
  case synchronous = 0x03
  /// Controller to host.
  case event = 0x04
  /// Isochronous data, both ways.
  case isochronous = 0x05

  /// The bytes of the packet header behind the indicator.
  public var headerCount: Int {
    switch self {
    case .command, .synchronous: 3
    case .acl, .isochronous: 4
    case .event: 2
    }
  }
}
