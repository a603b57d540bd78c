import Bluetooth
import LunaProtocol

/// What a report says about the device that sent it, whatever its family.
struct Heard {
  /// Who sent it, how strong.
  let report: AdvertisingReport
  /// What the index knows the identifier by; nil when the frame holds none.
  var key: UInt64?
  /// The identifier.
  var identifier: [UInt8] = []
  /// The frame of a LunaTracker in BLE mode.
  var frame: LunaFrame?

  /// The address with its kind, as a key; nil for anonymous advertisers.
  var addressKey: UInt64? {
    report.addressType.hasAddress
      ? report.address.value | UInt64(report.addressType == .public ? 1 : 0) << 48 : nil
  }

  /// Whether it says that it accepts connections: the frame, else the kind of PDU.
  var isConnectable: Bool? { frame?.isConnectable ?? report.isConnectable }
}
