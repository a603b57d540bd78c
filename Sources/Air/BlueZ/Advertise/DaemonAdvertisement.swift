import Bluetooth
import SystemBus

/// An ``Advertisement`` as bluetoothd wants to be told of it: org.bluez.LEAdvertisement1.
struct DaemonAdvertisement: Sendable {
  static let interface = "org.bluez.LEAdvertisement1"

  /// The properties, a dictionary of variants.
  let properties: BusValue

  /// What of an advertisement bluetoothd can send. The flags are left to it.
  init(_ advertisement: Advertisement) {
    var services: [BusValue] = []
    var manufacturers: [BusValue.BusEntry] = []
    var entries: [BusValue.BusEntry] = []
    func add(_ name: String, _ value: BusValue) {
      entries.append(BusValue.BusEntry(.string(name), .variant(value)))
    }
    let bytes = advertisement.data + advertisement.scanResponse
    var reader = ADStructureReader()
    while let structure = reader.next(in: bytes.span) {
      let data = Array(bytes[structure.range])
      switch structure.type {
      case 0x02, 0x03:
        for index in stride(from: 0, to: data.count - 1, by: 2) {
          let number = UInt16(data[index]) | UInt16(data[index + 1]) << 8
          services.append(.string(BluetoothUUID.bit16(number).description.lowercased()))
        }
      case 0x09: add("LocalName", .string(String(decoding: data, as: UTF8.self)))
      case 0xFF where data.count >= 2:
        let company = UInt16(data[0]) | UInt16(data[1]) << 8
        manufacturers.append(
          BusValue.BusEntry(.uint16(company), .variant(.bytes(Array(data[2...])))))
      default: break
      }
    }
    let isConnectable = advertisement.pdu == .advInd
    add("Type", .string(isConnectable ? "peripheral" : "broadcast"))
    if !services.isEmpty { add("ServiceUUIDs", .array(services)) }
    if !manufacturers.isEmpty { add("ManufacturerData", .dictionary(manufacturers)) }
    // Experimental in BlueZ up to 5.86; where they are, bluetoothd takes them, else it ignores them.
    let interval = UInt32(clamping: advertisement.interval)
    add("MinInterval", .uint32(interval))
    add("MaxInterval", .uint32(interval))
    properties = .dictionary(entries)
  }
}
