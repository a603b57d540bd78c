package import Bluetooth

/// Why a controller cannot be used. Opcodes are of ``Bluetooth/HCIOpcode``.
package enum ControllerFault: Hashable, Sendable {
  /// It does not answer this command.
  case silent(UInt16)
  /// It refuses this command, which it has to carry out.
  case refused(UInt16, HCIStatus)
  /// It knows no Bluetooth LE.
  case noLowEnergy
}
