import Bluetooth

/// What a legacy controller was told when it was switched on.
struct Airing: Hashable {
  let at: Duration
  let address: BluetoothAddress
  /// 0 ADV_IND, 3 ADV_NONCONN_IND.
  let type: UInt8
  /// In steps of 0.625 ms.
  let interval: UInt16
  let data: [UInt8]
  let scanResponse: [UInt8]

  init(
    at time: Duration, address: BluetoothAddress, type: UInt8, interval: UInt16, data: [UInt8],
    scanResponse: [UInt8]
  ) {
    at = time
    self.address = address
    self.type = type
    self.interval = interval
    self.data = data
    self.scanResponse = scanResponse
  }

  /// What `commands` amount to; nil when something was never told.
  init?(at time: Duration, _ commands: [HCICommand]) {
    func last(_ opcode: UInt16) -> [UInt8]? { commands.last { $0.opcode == opcode }?.parameters }
    // A length and 31 bytes.
    func data(_ opcode: UInt16) -> [UInt8]? {
      last(opcode).map { Array($0.dropFirst().prefix(Int($0[0]))) }
    }
    guard let address = last(HCIOpcode.leSetRandomAddress),
      let parameters = last(HCIOpcode.leSetAdvertisingParameters),
      let advertised = data(HCIOpcode.leSetAdvertisingData),
      let response = data(HCIOpcode.leSetScanResponseData),
      let random = BluetoothAddress(littleEndian: address.span)
    else { return nil }
    // interval 2 and 2, type
    self.init(
      at: time, address: random, type: parameters[4],
      interval: UInt16(parameters[0]) | UInt16(parameters[1]) << 8, data: advertised,
      scanResponse: response)
  }
}
