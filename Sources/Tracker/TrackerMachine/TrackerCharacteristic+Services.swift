public import Bluetooth

extension TrackerCharacteristic {
  /// What a tracker offers to whoever connects (PROTOCOL.md, 13): no battery, no serial number, no
  /// device information.
  public static var services: [GATTService] {
    var uuids: [BluetoothUUID] = []
    for characteristic in allCases where !uuids.contains(characteristic.service) {
      uuids.append(characteristic.service)
    }
    return uuids.map { uuid in
      GATTService(
        uuid,
        allCases.filter { $0.service == uuid }.map { characteristic in
          var properties: GATTCharacteristic.Properties = []
          if characteristic.isReadable { properties.insert(.read) }
          if characteristic.isWritable { properties.formUnion([.write, .indicate]) }
          return GATTService.Characteristic(characteristic.uuid, properties)
        })
    }
  }

  /// The characteristic with this UUID.
  public init?(_ uuid: BluetoothUUID) {
    guard let match = TrackerCharacteristic.allCases.first(where: { $0.uuid == uuid }) else {
      return nil
    }
    self = match
  }
}
