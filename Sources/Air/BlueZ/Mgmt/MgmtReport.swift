import Bluetooth

/// Reads the reports of found devices: Device Found and Advertisement Monitor Device Found.
///
/// They carry address, RSSI, flags and data, no PHY, advertising set or type of PDU; of an active
/// scan the advertisement and its scan response come in one report.
enum MgmtReport {
  private static let notConnectable: UInt32 = 1 << 2
  private static let scanResponse: UInt32 = 1 << 5

  /// The report in an event.
  ///
  /// - Returns: nil for other events, for BR/EDR devices, and when the parameters end too early.
  static func read(
    _ code: UInt16, _ index: UInt16, _ parameters: Span<UInt8>, _ time: Timestamp
  ) -> AdvertisingReport? {
    // [handle 2], address 6, address type, RSSI, flags 4, data length 2, data
    let start = code == MgmtEventCode.monitorDeviceFound ? 2 : 0
    guard parameters.count >= start + 14,
      let address = BluetoothAddress(littleEndian: parameters, at: start)
    else { return nil }
    let type: AddressType
    switch parameters[start + 6] {
    case 1: type = .public
    case 2: type = .random
    default: return nil
    }
    let count = Int(MgmtPacket.number(parameters, start + 12))
    guard parameters.count >= start + 14 + count else { return nil }
    let rssi = parameters[start + 7]
    var report = AdvertisingReport(
      time: time, adapter: index, address: address, addressType: type,
      payload: AdvertisingPayload(copying: parameters, from: start + 14, count: count),
      rssi: rssi == 127 ? nil : Int8(bitPattern: rssi))
    let flags = MgmtPacket.number32(parameters, start + 8)
    if flags & scanResponse != 0 {
      report.isScanResponse = true
    } else {
      report.isConnectable = flags & notConnectable == 0
    }
    return report
  }
}
