import Bluetooth

/// Reads what happens from the bytes of an input: numbers, times, reports.
struct ScriptReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func take(_ count: Int) -> [UInt8] {
    let end = min(bytes.count, position + count)
    defer { position = end }
    return Array(bytes[position..<end])
  }

  /// Eight bytes, the first one most significant.
  mutating func number() -> Int64 {
    Int64(bitPattern: (0..<8).reduce(UInt64(0)) { value, _ in value << 8 | UInt64(byte()) })
  }

  /// What is left.
  mutating func rest() -> [UInt8] { take(bytes.count) }

  /// A report of advertising data: address type, last byte of the address, RSSI, length, data.
  mutating func report(at time: Int64) -> AdvertisingReport {
    let type = AddressType(rawValue: byte() & 3)
    let address = BluetoothAddress(value: 0xC0FF_EE00_0000 | UInt64(byte()))
    let rssi = Int8(bitPattern: byte())
    let data = take(Int(byte()))
    return AdvertisingReport(
      time: Timestamp(microseconds: time), adapter: nil, address: address, addressType: type,
      payload: AdvertisingPayload(data), rssi: rssi)
  }
}
