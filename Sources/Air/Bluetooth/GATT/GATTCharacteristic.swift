/// A characteristic that a connected peer offers (Core Specification, Vol 3, Part G, 3.3).
public struct GATTCharacteristic: Hashable, Sendable {
  /// What can be done with it (Core Specification, Vol 3, Part G, 3.3.1.1).
  public struct Properties: OptionSet, Hashable, Sendable {
    /// The octet of the declaration.
    public let rawValue: UInt8

    /// Properties from the octet of the declaration.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It can be read.
    public static let read = Properties(rawValue: 0x02)
    /// It can be written without a response.
    public static let writeWithoutResponse = Properties(rawValue: 0x04)
    /// It can be written.
    public static let write = Properties(rawValue: 0x08)
    /// It sends its value unasked, and nothing confirms that it came.
    public static let notify = Properties(rawValue: 0x10)
    /// It sends its value unasked, and waits until this side has confirmed it.
    public static let indicate = Properties(rawValue: 0x20)
  }

  /// The service that it belongs to.
  public let service: BluetoothUUID
  /// What it is.
  public let uuid: BluetoothUUID
  /// What can be done with it.
  public let properties: Properties
  /// The handle of its value; unique on its connection.
  public let handle: UInt16

  /// A characteristic as it was found.
  public init(
    service: BluetoothUUID, uuid: BluetoothUUID, properties: Properties, handle: UInt16
  ) {
    self.service = service
    self.uuid = uuid
    self.properties = properties
    self.handle = handle
  }
}
