import Bluetooth
import CLinux

extension Timestamp {
  /// The time of this machine.
  static var now: Timestamp {
    Timestamp(microseconds: luna_now())
  }
}
