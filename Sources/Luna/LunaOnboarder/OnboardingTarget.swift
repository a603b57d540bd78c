public import Bluetooth
public import LunaCore

/// Which tracker is to be onboarded.
public enum OnboardingTarget: Sendable {
  /// The one that the code belongs to; without a code, the only one that waits to be onboarded.
  case fitting
  /// The one with this address.
  case address(BluetoothAddress)
  /// This one.
  case device(LocalDevice)
}
