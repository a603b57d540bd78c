/// Why bytes are not an ATT PDU.
public struct ATTProblem: Error, Hashable, Sendable {
  /// What the bytes claim to be; nil when there are none.
  public let opcode: ATTOpcode?
  /// What is wrong with them, in one clause.
  public let reason: String

  init(_ opcode: ATTOpcode?, _ reason: String) {
    self.opcode = opcode
    self.reason = reason
  }
}

extension ATTProblem: CustomStringConvertible {
  /// The PDU, and what is wrong with it.
  public var description: String { opcode.map { "\($0): \(reason)" } ?? reason }
}
