public import Bluetooth
import CLinux

/// The time of this machine.
public enum SystemTime {
  /// Now.
  public static func now() -> Timestamp {
    Timestamp(microseconds: luna_now())
  }
}
