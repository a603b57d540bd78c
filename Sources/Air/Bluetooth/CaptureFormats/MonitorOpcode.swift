/// The packet types of the Linux monitor channel that Luna reads or writes
/// (BlueZ `doc/btsnoop-protocol.rst`).
public enum MonitorOpcode {
  /// New Index: an adapter came, with its type, bus, address and name.
  public static let newIndex: UInt16 = 0
  /// Event Packet: an HCI event, from its code on.
  public static let event: UInt16 = 3
  /// Open Index: an adapter was opened; without parameters.
  public static let openIndex: UInt16 = 8
  /// What is known of an adapter.
  public static let indexInfo: UInt16 = 10
  /// The highest opcode that any known recorder writes, with room for newer ones.
  static let plausibleMaximum: UInt16 = 63

  /// The adapter number that stands for none.
  static let noAdapter: UInt16 = 0xFFFF
}
