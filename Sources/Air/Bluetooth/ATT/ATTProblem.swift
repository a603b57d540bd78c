public import Diagnosis

/// Why bytes are not an ATT PDU.
public struct ATTProblem: Diagnosed, CustomStringConvertible, Hashable {
  /// What the bytes claim to be; nil when there are none.
  public let opcode: ATTOpcode?
  /// The PDU, and what is wrong with it.
  public let diagnosis: Diagnosis

  init(_ opcode: ATTOpcode?, _ reason: String) {
    self.opcode = opcode
    diagnosis = Diagnosis(reason, during: opcode.map { "\($0)" })
  }
}
