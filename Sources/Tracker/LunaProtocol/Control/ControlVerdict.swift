/// What a tracker does with a control package (PROTOCOL.md, 12.2).
public struct ControlVerdict: Sendable {
  /// The command to execute, and its argument; nil when the package is refused.
  public struct Execution: Hashable, Sendable {
    /// What to do, with ``argument``.
    public let command: ControlCommand
    /// How many seconds, 0 to 60, for a sound and a blink; 0 for all others.
    public let argument: UInt16
  }

  /// What the receipt says, also where nothing is executed.
  public let status: ControlStatus
  /// What to execute, after `lastCounter` is in flash.
  public let execution: Execution?
  /// The counter to store.
  public let lastCounter: UInt32
  /// The clock after the command, Unix s.
  public let clock: UInt32
  /// What is sent back: 17 bytes, or 5 that prove nothing.
  public let receipt: [UInt8]
}
