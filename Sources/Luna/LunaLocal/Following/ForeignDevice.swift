import Bluetooth
import LunaCore

/// A tracker that is not one's own, or not yet.
struct ForeignDevice {
  let local: LocalDevice
  let identity: Identity
  var key: UInt64?
  var lastHeard: Timestamp

  /// What a foreign device is known by: its address, or the identifier of an anonymous one.
  enum Identity: Hashable {
    case address(UInt64, AddressType)
    case anonymous(UInt64)
  }
}
