import Bluetooth

/// The answer to Read Controller Information.
struct MgmtInformation: Hashable, Sendable {
  /// The identity address; nil when it is not set.
  let address: BluetoothAddress?
  let hciVersion: UInt8
  let manufacturer: UInt16
  let supported: MgmtSettings
  let current: MgmtSettings
  /// The name that it shows to others; nil when it is empty.
  let name: String?

  /// Reads the return parameters.
  ///
  /// - Returns: nil when they are too short.
  init?(_ parameters: [UInt8]) {
    // address 6, version, manufacturer 2, supported 4, current 4, class 3, name 249, short name 11
    guard parameters.count >= 20 else { return nil }
    let bytes = parameters.span
    let address = BluetoothAddress(littleEndian: bytes)
    self.address = address?.value == 0 ? nil : address
    hciVersion = bytes[6]
    manufacturer = MgmtPacket.number(bytes, 7)
    supported = MgmtSettings(rawValue: MgmtPacket.number32(bytes, 9))
    current = MgmtSettings(rawValue: MgmtPacket.number32(bytes, 13))
    let text = parameters[20...].prefix(249).prefix { $0 != 0 }
    name = text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}
