public import Bluetooth

/// The service of LunaTrackers, and its characteristics (PROTOCOL.md, 13).
public enum LunaService {
  /// The primary service; those below are its characteristics.
  public static let uuid = characteristic(0)
  /// What anyone can read, 54 bytes: ``OnboardingInfo``.
  public static let info = characteristic(1)
  /// The messages of onboarding: read, write, indicate.
  public static let onboard = characteristic(2)
  /// What interactive commands answer to, 20 bytes: ``ControlChallenge``.
  public static let challenge = characteristic(3)
  /// Commands and receipts: write, indicate.
  public static let control = characteristic(4)

  private static func characteristic(_ number: UInt64) -> BluetoothUUID {
    .bit128(high: 0x38EB_0000_FC56_5CB4 | number << 32, low: 0xA0F2_DAD2_99D5_501D)
  }
}
