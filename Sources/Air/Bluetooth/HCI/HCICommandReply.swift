/// A controller's answer to a command: the event Command Complete or Command Status
/// (Core Specification, Vol 4, Part E, 7.7.14 and 7.7.15).
public struct HCICommandReply: Hashable, Sendable {
  /// The command that is answered; ``HCIOpcode/none`` when only the number of commands is told.
  public let opcode: UInt16
  /// How many further commands the controller takes now.
  public let commandsAllowed: UInt8
  /// How the command ended.
  public let status: HCIStatus
  /// The return parameters behind the status; none in a Command Status.
  public let parameters: [UInt8]
  /// Whether this ends the command; a Command Status of success does not.
  public let isComplete: Bool

  /// Reads an event from its code on.
  ///
  /// - Returns: nil for other events, and for one that ends too early.
  public init?(event bytes: Span<UInt8>) {
    guard bytes.count >= 2 else { return nil }
    let end = min(bytes.count, 2 + Int(bytes[1]))
    switch bytes[0] {
    case HCIEventCode.commandComplete:
      // number of commands, opcode 2, status, return parameters
      guard end >= 5 else { return nil }
      commandsAllowed = bytes[2]
      opcode = UInt16(bytes[3]) | UInt16(bytes[4]) << 8
      guard end >= 6 || opcode == HCIOpcode.none else { return nil }
      status = HCIStatus(rawValue: end >= 6 ? bytes[5] : 0)
      parameters = end > 6 ? (6..<end).map { bytes[$0] } : []
      isComplete = true
    case HCIEventCode.commandStatus:
      // status, number of commands, opcode 2
      guard end >= 6 else { return nil }
      commandsAllowed = bytes[3]
      opcode = UInt16(bytes[4]) | UInt16(bytes[5]) << 8
      status = HCIStatus(rawValue: bytes[2])
      parameters = []
      isComplete = status != .success
    default: return nil
    }
  }
}
