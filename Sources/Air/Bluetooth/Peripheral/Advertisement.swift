/// What is sent by legacy PDUs (Core Specification, Vol 6, Part B, 2.3.1).
public struct Advertisement: Hashable, Sendable {
  /// The random address it is sent from.
  public var address: BluetoothAddress
  /// ADV_IND, ADV_SCAN_IND or ADV_NONCONN_IND.
  public var pdu: PDUType
  /// The advertising data, at most 31 bytes.
  public var data: [UInt8]
  /// The scan response data, at most 31 bytes.
  public var scanResponse: [UInt8]
  /// From one PDU to the next, without the random delay of the specification, ms: 20 to 10,240.
  public var interval: Int64

  /// An advertisement of these parts.
  public init(
    address: BluetoothAddress, pdu: PDUType, data: [UInt8], scanResponse: [UInt8], interval: Int64
  ) {
    self.address = address
    self.pdu = pdu
    self.data = data
    self.scanResponse = scanResponse
    self.interval = interval
  }
}
