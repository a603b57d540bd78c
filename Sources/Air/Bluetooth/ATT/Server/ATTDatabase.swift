/// The attributes of a server: services, characteristics and their configurations, with handles
/// from 1 on (Core Specification, Vol 3, Part G, 3).
struct ATTDatabase: Sendable {
  struct Attribute: Sendable {
    enum Content: Sendable {
      /// Readable, and always the same.
      case constant([UInt8])
      /// The value of the characteristic of this number.
      case value(Int)
      /// The client characteristic configuration of the characteristic of this number.
      case configuration(Int)
    }

    let type: BluetoothUUID
    let content: Content
    /// The last handle of its group; its own when it groups nothing.
    var groupEnd: UInt16
  }

  static let primaryService = BluetoothUUID.bit16(0x2800)
  static let secondaryService = BluetoothUUID.bit16(0x2801)
  private static let characteristic = BluetoothUUID.bit16(0x2803)
  private static let configuration = BluetoothUUID.bit16(0x2902)

  /// All characteristics, by their numbers.
  let characteristics: [GATTService.Characteristic]
  private var attributes: [Attribute] = []
  /// The handles of the values, by the numbers of the characteristics.
  private(set) var valueHandles: [UInt16] = []

  init(_ services: [GATTService]) {
    characteristics = services.flatMap { $0.characteristics }
    var number = 0
    for service in services {
      let start = attributes.count
      add(ATTDatabase.primaryService, .constant(service.uuid.attributeOctets))
      for characteristic in service.characteristics {
        // properties, handle of the value, UUID
        let handle = UInt16(attributes.count + 2)
        add(
          ATTDatabase.characteristic,
          .constant(
            [characteristic.properties.rawValue] + handle.octets
              + characteristic.uuid.attributeOctets
          ))
        add(characteristic.uuid, .value(number))
        valueHandles.append(handle)
        if characteristic.properties.contains(.indicate) {
          add(ATTDatabase.configuration, .configuration(number))
        }
        number += 1
      }
      attributes[start].groupEnd = UInt16(attributes.count)
    }
  }

  private mutating func add(_ type: BluetoothUUID, _ content: Attribute.Content) {
    attributes.append(
      Attribute(type: type, content: content, groupEnd: UInt16(attributes.count + 1)))
  }

  /// The attribute with this handle.
  subscript(handle: UInt16) -> Attribute? {
    handle >= 1 && Int(handle) <= attributes.count ? attributes[Int(handle) - 1] : nil
  }

  /// The handles of a valid range that there are.
  func handles(in range: ATTHandleRange) -> [UInt16] {
    let last = min(range.last, UInt16(attributes.count))
    return range.first <= last ? Array(range.first...last) : []
  }
}
