import Bluetooth
import SystemBus

/// The names of bluetoothd's objects and interfaces that have to do with peers.
enum DaemonPath {
  static let device = "org.bluez.Device1"
  static let service = "org.bluez.GattService1"
  static let characteristic = "org.bluez.GattCharacteristic1"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"

  /// The object of a peer: /org/bluez/hci0/dev_00_11_22_33_44_55.
  static func peer(_ address: BluetoothAddress, on adapter: UInt16) -> String {
    let name = String(address.description.map { $0 == ":" ? "_" : $0 })
    return "\(DaemonScan.path(of: adapter))/dev_\(name)"
  }

  /// The handle of the value of the characteristic at `path`, whose last part is "char" and the
  /// handle of the declaration in hexadecimal. The value follows the declaration (Core
  /// Specification, Vol 3, Part G, 3.3).
  static func valueHandle(of path: String) -> UInt16? {
    guard let last = path.split(separator: "/").last, last.hasPrefix("char") else { return nil }
    return UInt16(last.dropFirst(4), radix: 16).flatMap { $0 < .max ? $0 + 1 : nil }
  }

  /// The properties of a characteristic as bluetoothd names them in Flags (doc/gatt-api.txt).
  static func properties(_ flags: [String]) -> GATTCharacteristic.Properties {
    var properties: GATTCharacteristic.Properties = []
    for flag in flags {
      switch flag {
      case "read": properties.insert(.read)
      case "write-without-response": properties.insert(.writeWithoutResponse)
      case "write": properties.insert(.write)
      case "notify": properties.insert(.notify)
      case "indicate": properties.insert(.indicate)
      default: break
      }
    }
    return properties
  }

  /// A UUID as bluetoothd writes it, always whole, in the shortest form.
  static func uuid(_ text: String) -> BluetoothUUID? {
    guard let uuid = BluetoothUUID(text) else { return nil }
    return uuid.assigned16.map { .bit16($0) } ?? uuid
  }
}
