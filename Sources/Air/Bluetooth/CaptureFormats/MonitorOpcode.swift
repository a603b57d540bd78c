/// The packet types of the Linux monitor channel that Luna reads or writes
/// (BlueZ `doc/btsnoop-protocol.rst`).
public enum MonitorOpcode {
  /// An adapter came.
  public static let newIndex: UInt16 = 0
  /// An HCI event.
  public static let event: UInt16 = 3
  /// An adapter opened.
  public static let openIndex: UInt16 = 8
  /// What is known of an adapter.
  public static let indexInfo: UInt16 = 10
  /// The highest opcode that any known recorder writes, with room for newer ones.
  static let plausibleMaximum: UInt16 = 63

  /// The adapter number that stands for none.
  static let noAdapter: UInt16 = 0xFFFF
}
