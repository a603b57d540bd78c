/// What a tracker advertises at one time (PROTOCOL.md, 5).
public struct AdvertisingSlot: Hashable, Sendable {
  /// The two kinds of advertising.
  public enum Mode: String, Sendable {
    /// The iBeacon frame, never connectable.
    case iBeacon = "ibeacon"
    /// The BLE frame.
    case frame = "ble"
  }

  /// Which of the two frames is sent.
  public let mode: Mode
  /// The index of the region of iBeacon frames, 0 to 2.
  public let region: Int
  /// Whether connections are accepted, apart from the time after a press of the button.
  public let isConnectable: Bool
}
