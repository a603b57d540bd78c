/// A primary service as a server declares it (Core Specification, Vol 3, Part G, 3.1).
public struct GATTService: Hashable, Sendable {
  /// A characteristic of a service that is served. One that indicates gets a client characteristic
  /// configuration descriptor, for each connection anew.
  public struct Characteristic: Hashable, Sendable {
    /// What it is; different from all others of the server.
    public let uuid: BluetoothUUID
    /// What can be done with it: to read, to write with a response, to indicate.
    public let properties: GATTCharacteristic.Properties
    /// A value that never changes; nil when the owner of the server is asked for it.
    public let constant: [UInt8]?

    /// A characteristic; at most 512 bytes of a constant are kept.
    public init(
      _ uuid: BluetoothUUID, _ properties: GATTCharacteristic.Properties, constant: [UInt8]? = nil
    ) {
      self.uuid = uuid
      self.properties = properties
      self.constant = constant.map { Array($0.prefix(ATTPDU.longestValue)) }
    }
  }

  /// What it is.
  public let uuid: BluetoothUUID
  /// What it consists of, in the order of the handles.
  public let characteristics: [Characteristic]

  /// A service of these characteristics.
  public init(_ uuid: BluetoothUUID, _ characteristics: [Characteristic]) {
    self.uuid = uuid
    self.characteristics = characteristics
  }
}

extension GATTService {
  /// The services that every server has to offer (Core Specification, Vol 3, Part C, 12, and Part G,
  /// 7): Generic Access with the name and the appearance of the device, and Generic Attribute.
  ///
  /// There is no Service Changed: what a server here offers never changes.
  public static func required(name: String, appearance: UInt16) -> [GATTService] {
    [
      GATTService(
        .bit16(0x1800),
        [
          Characteristic(.bit16(0x2A00), .read, constant: Array(name.utf8)),
          Characteristic(.bit16(0x2A01), .read, constant: appearance.octets),
        ]),
      GATTService(.bit16(0x1801), []),
    ]
  }
}
