/// What the packets of a btsnoop file are (BlueZ `doc/btsnoop-protocol.rst`).
public enum BTSnoopDatalink: UInt32, Sendable {
  /// Bare HCI packets; the flags tell their type.
  case hci = 1001
  /// HCI packets behind an H4 packet indicator.
  case h4 = 1002
  /// What the Linux monitor channel carries; the flags are adapter and opcode.
  case monitor = 2001
}
