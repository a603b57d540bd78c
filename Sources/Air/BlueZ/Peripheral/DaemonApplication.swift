import Bluetooth
import SystemBus

/// Services as bluetoothd wants to be told of them: a tree of objects with org.bluez.GattService1
/// and org.bluez.GattCharacteristic1 (BlueZ, doc/org.bluez.GattManager.rst and others).
struct DaemonApplication: Sendable {
  static let root = "/org/lunatracker/application"
  static let manager = "org.bluez.GattManager1"
  static let serviceInterface = "org.bluez.GattService1"
  static let characteristicInterface = "org.bluez.GattCharacteristic1"

  private struct Object {
    let path: String
    let interface: String
    let properties: BusValue
  }

  private let objects: [Object]
  /// The characteristics, by the paths of their objects.
  let characteristics: [String: GATTService.Characteristic]

  init(_ services: [GATTService]) {
    var objects: [Object] = []
    var characteristics: [String: GATTService.Characteristic] = [:]
    for (number, service) in services.enumerated() {
      let path = "\(DaemonApplication.root)/service\(number)"
      objects.append(
        Object(
          path: path, interface: DaemonApplication.serviceInterface,
          properties: .properties([
            "UUID": .string(service.uuid.description.lowercased()), "Primary": .bool(true),
          ])))
      for (index, characteristic) in service.characteristics.enumerated() {
        let child = "\(path)/char\(index)"
        let flags = DaemonApplication.flags(characteristic.properties)
        characteristics[child] = characteristic
        objects.append(
          Object(
            path: child, interface: DaemonApplication.characteristicInterface,
            properties: .properties([
              "UUID": .string(characteristic.uuid.description.lowercased()),
              "Service": .objectPath(path), "Flags": .array(flags.map { .string($0) }),
            ])))
      }
    }
    self.objects = objects
    self.characteristics = characteristics
  }

  private static func flags(_ properties: GATTCharacteristic.Properties) -> [String] {
    [
      (GATTCharacteristic.Properties.read, "read"), (.write, "write"), (.indicate, "indicate"),
    ].filter { properties.contains($0.0) }.map { $0.1 }
  }

  /// The paths of all objects, the root first.
  var paths: [String] { [DaemonApplication.root] + objects.map(\.path) }

  /// The object of a characteristic.
  func path(of characteristic: BluetoothUUID) -> String? {
    characteristics.first { $0.value.uuid == characteristic }?.key
  }

  /// What ObjectManager.GetManagedObjects answers: `a{oa{sa{sv}}}`.
  var managedObjects: BusValue {
    .dictionary(
      objects.map { object in
        BusValue.BusEntry(
          .objectPath(object.path),
          .dictionary([BusValue.BusEntry(.string(object.interface), object.properties)]))
      })
  }

  /// What Properties.GetAll of an object answers.
  func properties(of path: String, _ interface: String?) -> BusValue {
    objects.first { $0.path == path && $0.interface == interface }?.properties ?? .dictionary([])
  }
}
