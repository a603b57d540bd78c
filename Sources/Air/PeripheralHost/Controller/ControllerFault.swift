package import Bluetooth

/// Why a controller cannot be used. Opcodes are of ``Bluetooth/HCIOpcode``.
package enum ControllerFault: Hashable, Sendable {
  /// It does not answer this command.
  case silent(UInt16)
  /// It refuses this command, which it has to carry out.
  case refused(UInt16, HCIStatus)
  /// It knows no Bluetooth LE.
  case noLowEnergy
  /// It reports a fault of its hardware.
  case hardware
  /// It does not do with commands or links what it must.
  case stuck
  /// It sends only so many advertisements side by side.
  case fewAdvertisingSets(Int)
}
