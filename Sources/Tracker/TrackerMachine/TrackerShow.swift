import Bluetooth
import LunaCrypto
import LunaProtocol

/// What a tracker shows of one period: everything that changes in one step at a rotation.
struct TrackerShow: Sendable {
  var period: UInt32
  var eid: EID
  var aotp: AOTP
  var heid: HEID
  /// BOTP of the period, which hides the status; nil in factory state.
  var botp: SecretBytes?
  /// Drawn at this rotation, ms.
  var phase: Int64
  var address: BluetoothAddress
  /// The period in which the address was drawn: a separated tracker keeps it for a while.
  var addressPeriod: UInt32
}
