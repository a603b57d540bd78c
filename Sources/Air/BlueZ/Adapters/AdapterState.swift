/// Whether an adapter can be used, and if not, why.
public enum AdapterState: String, Sendable {
  /// Powered.
  case up
  /// Not powered.
  case down
  /// Switched off by rfkill in software.
  case softBlocked = "soft-blocked"
  /// Switched off by a switch or key of the machine.
  case hardBlocked = "hard-blocked"
  /// Waits for its address or firmware to be set.
  case unconfigured
  /// Taken away from the kernel by a program that uses the HCI user channel.
  case exclusive
}
