/// What a tracker says to somebody who is not its owner.
enum NonOwnerMessage: Hashable, Sendable {
  /// Command_Response: to which opcode, and the status.
  case response(to: UInt16, NonOwnerStatus)
  /// Sound_Completed.
  case soundCompleted
  /// Another message: its opcode and operand.
  case other(opcode: UInt16, operand: [UInt8])
}
