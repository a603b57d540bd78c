public import Bluetooth
public import LunaProtocol

/// What does not change over the life of a tracker.
public struct TrackerHardware: Sendable {
  /// What the tracker has (PROTOCOL.md, 13).
  public var capabilities: TrackerCapabilities
  /// The firmware; major version in the high byte, minor in the low one.
  public var firmware: UInt16
  /// The transmit power that the Tx Power service tells, dBm.
  public var txPower: Int8
  /// The company of its frames; 0xFFFF for tests.
  public var companyIdentifier: UInt16
  /// The regions of its iBeacon frames, three.
  public var regions: [BluetoothUUID]
  /// The power at 1 m that its iBeacon frames tell, dBm.
  public var measuredPower: Int8

  /// A tracker with everything that the protocol knows.
  public init(
    capabilities: TrackerCapabilities = [.buzzer, .light, .nonOwnerSound, .button],
    firmware: UInt16 = 0x0100, txPower: Int8 = 0, companyIdentifier: UInt16 = 0xFFFF,
    regions: [BluetoothUUID] = IBeaconFrame.defaultRegions,
    measuredPower: Int8 = IBeaconFrame.defaultMeasuredPower
  ) {
    self.capabilities = capabilities
    self.firmware = firmware
    self.txPower = txPower
    self.companyIdentifier = companyIdentifier
    self.regions = regions
    self.measuredPower = measuredPower
  }
}
