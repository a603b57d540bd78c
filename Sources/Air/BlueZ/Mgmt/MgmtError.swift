import HCIHost

/// A management command that did not succeed.
struct MgmtError: Error, Hashable {
  /// Why.
  enum Reason: Hashable, Sendable {
    /// The kernel refused it.
    case status(MgmtStatus)
    /// The kernel did not answer.
    case timedOut
    /// The socket was closed meanwhile.
    case closed
    /// It could not be sent.
    case call(SystemCallError)
  }

  let opcode: UInt16
  let reason: Reason

  /// The status, when the kernel answered.
  // Inlined into functions with typed throws it crashes the optimiser of Swift 6.3.1.
  @inline(never)
  var status: MgmtStatus? {
    if case .status(let status) = reason { status } else { nil }
  }
}

extension MgmtError: CustomStringConvertible {
  var description: String {
    let name = MgmtOpcode.name(opcode)
    switch reason {
    case .status(let status): return "\(name): \(status)"
    case .timedOut: return "\(name): no answer from the kernel"
    case .closed: return "\(name): the socket was closed"
    case .call(let error): return "\(name): \(error)"
    }
  }
}
