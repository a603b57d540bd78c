import Bluetooth
import SystemBus

/// What bluetoothd knows of an advertiser: the last value of every property that it takes from
/// advertisements. It merges advertisements and scan responses, and gives no bytes; the data of a
/// report are made of the properties, as AD structures in a fixed order:
///
/// Flags, service UUIDs (16, 32 and 128 bits), TX Power Level, service data, manufacturer data,
/// Appearance, Complete Local Name, and the types that bluetoothd does not take apart.
struct DaemonDevice: Sendable {
  let address: BluetoothAddress
  private(set) var type: AddressType?
  private(set) var rssi: Int8?
  private var flags: [UInt8] = []
  private var services: [BluetoothUUID] = []
  private var txPower: Int8?
  private var serviceData: [(BluetoothUUID, [UInt8])] = []
  private var manufacturerData: [(UInt16, [UInt8])] = []
  private var appearance: UInt16?
  private var name: String?
  private var other: [(UInt8, [UInt8])] = []

  /// The properties that change with advertisements only; the others also change for other reasons.
  private static let heard: Set<String> = [
    "RSSI", "ManufacturerData", "ServiceData", "AdvertisingFlags", "AdvertisingData",
  ]

  /// A device of which only the address is known, from the path of its object.
  ///
  /// - Returns: nil when the path is not that of a device: `/org/bluez/hci0/dev_00_11_22_33_44_55`.
  init?(path: String) {
    guard let last = path.split(separator: "/").last, last.hasPrefix("dev_"), last.utf8.count == 21
    else { return nil }
    let text = String(last.dropFirst(4).map { $0 == "_" ? ":" : $0 })
    guard let address = BluetoothAddress(text) else { return nil }
    self.address = address
  }

  /// Takes properties that were told.
  ///
  /// - Returns: Whether an advertisement was heard.
  mutating func take(_ properties: BusValue) -> Bool {
    var wasHeard = false
    for entry in properties.entries ?? [] {
      guard let key = entry.key.text else { continue }
      wasHeard = wasHeard || DaemonDevice.heard.contains(key)
      take(key, entry.value)
    }
    return wasHeard
  }

  private mutating func take(_ key: String, _ value: BusValue) {
    switch key {
    case "AddressType": type = value.text == "public" ? .public : .random
    case "RSSI": rssi = value.integer.flatMap { Int8(exactly: $0) }
    case "TxPower": txPower = value.integer.flatMap { Int8(exactly: $0) }
    case "Appearance": appearance = value.integer.flatMap { UInt16(exactly: $0) }
    case "Name": name = value.text
    case "AdvertisingFlags": flags = value.byteArray ?? []
    case "UUIDs": services = (value.elements ?? []).compactMap { uuid($0.text) }
    case "ServiceData":
      serviceData = (value.entries ?? []).compactMap { entry in
        guard let uuid = uuid(entry.key.text), let data = entry.value.byteArray else { return nil }
        return (uuid, data)
      }
    case "ManufacturerData":
      manufacturerData = (value.entries ?? []).compactMap { entry in
        guard let company = entry.key.integer.flatMap({ UInt16(exactly: $0) }),
          let data = entry.value.byteArray
        else { return nil }
        return (company, data)
      }
    case "AdvertisingData":
      other = (value.entries ?? []).compactMap { entry in
        guard let type = entry.key.integer.flatMap({ UInt8(exactly: $0) }),
          let data = entry.value.byteArray
        else { return nil }
        return (type, data)
      }
    default: break
    }
  }

  private func uuid(_ text: String?) -> BluetoothUUID? {
    guard let uuid = text.flatMap({ BluetoothUUID($0) }) else { return nil }
    return uuid.assigned16.map { .bit16($0) } ?? uuid
  }

  /// The report of an advertisement that was just heard.
  func report(time: Timestamp, adapter: UInt16) -> AdvertisingReport {
    AdvertisingReport(
      time: time, adapter: adapter, address: address, addressType: type ?? .random,
      payload: AdvertisingPayload(data), rssi: rssi == 127 ? nil : rssi)
  }

  /// The properties as AD structures.
  var data: [UInt8] {
    var data: [UInt8] = []
    func append(_ type: UInt8, _ content: [UInt8]) {
      guard content.count < 255 else { return }
      data.append(UInt8(content.count + 1))
      data.append(type)
      data += content
    }
    if !flags.isEmpty { append(0x01, flags) }
    for (width, type) in [(2, UInt8(0x03)), (4, 0x05), (16, 0x07)] {
      let bytes = services.filter { $0.width == width }.flatMap(\.littleEndianBytes)
      if !bytes.isEmpty { append(type, Array(bytes.prefix(254 / width * width))) }
    }
    if let txPower { append(0x0A, [UInt8(bitPattern: txPower)]) }
    for (uuid, bytes) in serviceData {
      let type: UInt8 = uuid.width == 2 ? 0x16 : uuid.width == 4 ? 0x20 : 0x21
      append(type, uuid.littleEndianBytes + bytes)
    }
    for (company, bytes) in manufacturerData { append(0xFF, MgmtPacket.bytes(company) + bytes) }
    if let appearance { append(0x19, MgmtPacket.bytes(appearance)) }
    if let name, !name.isEmpty { append(0x09, Array(name.utf8.prefix(248))) }
    for (type, bytes) in other { append(type, bytes) }
    return data
  }
}

extension BluetoothUUID {
  /// The number of bytes.
  fileprivate var width: Int { littleEndianBytes.count }

  /// The bytes as packets carry them, least significant first.
  fileprivate var littleEndianBytes: [UInt8] {
    func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
    switch self {
    case .bit16(let value): return bytes(UInt64(value), 2)
    case .bit32(let value): return bytes(UInt64(value), 4)
    case .bit128(let high, let low): return bytes(low, 8) + bytes(high, 8)
    }
  }
}
