/// A command to a controller (Core Specification, Vol 4, Part E, 5.4.1).
public struct HCICommand: Hashable, Sendable {
  /// The opcode: group (6 bits) and command (10 bits).
  public let opcode: UInt16
  /// The parameters, at most 255 bytes.
  public let parameters: [UInt8]

  /// A command. Parameters beyond 255 bytes are cut off.
  public init(_ opcode: UInt16, _ parameters: [UInt8] = []) {
    self.opcode = opcode
    self.parameters = Array(parameters.prefix(255))
  }

  /// Reads a command without its H4 indicator.
  ///
  /// - Returns: nil when the bytes end before the parameters do.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 3, bytes.count >= 3 + Int(bytes[2]) else { return nil }
    opcode = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    parameters = (0..<Int(bytes[2])).map { bytes[3 + $0] }
  }

  /// The packet, with the H4 indicator in front.
  public var h4Packet: [UInt8] {
    [
      HCIPacketType.command.rawValue, UInt8(truncatingIfNeeded: opcode),
      UInt8(truncatingIfNeeded: opcode >> 8), UInt8(truncatingIfNeeded: parameters.count),
    ] + parameters
  }
}
