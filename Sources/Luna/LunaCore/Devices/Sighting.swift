public import Bluetooth
public import LunaProtocol

/// That a device was heard: what a store keeps of an advertisement.
public struct Sighting: Hashable, Sendable {
  /// The device that was recognised.
  public let device: DeviceUUID
  /// When the machine heard it, by its own clock.
  public let receivedAt: Timestamp
  /// The address on the air, which changes with the identifier.
  public let address: BluetoothAddress
  /// How strong it was, dBm; nil where the adapter does not say.
  public let rssi: Int?
  /// The identifier on the air, as bytes.
  public let eid: [UInt8]
  /// The period, or the index in the sequence of keys, that the identifier belongs to.
  public let period: UInt32?
  /// Whether the battery was low, as far as the status told.
  public let batteryLow: Bool?

  /// A sighting with what is known of it.
  public init(
    device: DeviceUUID, receivedAt: Timestamp, address: BluetoothAddress, rssi: Int? = nil,
    eid: [UInt8], period: UInt32? = nil, batteryLow: Bool? = nil
  ) {
    self.device = device
    self.receivedAt = receivedAt
    self.address = address
    self.rssi = rssi
    self.eid = eid
    self.period = period
    self.batteryLow = batteryLow
  }
}
