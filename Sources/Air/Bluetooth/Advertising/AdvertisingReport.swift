/// One advertisement heard: an HCI advertising report, legacy or extended, a link-layer PDU, or
/// what a host daemon made of them.
///
/// A fixed-size value; the report of a legacy PDU needs no heap allocation. What a source cannot
/// tell is nil, never guessed.
public struct AdvertisingReport: Hashable, Sendable {
  /// When it was heard: the kernel's or the capture file's time; of the last fragment. A time that
  /// cannot be (see ``Timestamp/plausible``) becomes ``Timestamp/unknown`` here, so that whoever gets
  /// a report can count with its time.
  public var time: Timestamp { didSet { time = time.ifPlausible } }
  /// The adapter that heard it: N of hciN; nil where the source knows none (a radio capture).
  public var adapter: UInt16?
  /// The advertiser's address; only meaningful when `addressType.hasAddress`.
  public var address: BluetoothAddress
  /// What kind of address that is.
  public var addressType: AddressType
  /// The PDU; nil when the event type is not a defined one, or the source does not tell.
  public var pduType: PDUType?
  /// Whether a connection can be made.
  public var isConnectable: Bool?
  /// Whether scan requests are answered.
  public var isScannable: Bool?
  /// Whether this is the answer to a scan request.
  public var isScanResponse: Bool?
  /// Whether a legacy PDU carried it.
  public var isLegacy: Bool?
  /// How much of the data is here.
  public var dataStatus: DataStatus
  /// The PHY of the primary channel; `none` when the source does not tell.
  public var primaryPHY: PHY
  /// The PHY of the secondary channel; `none` for legacy PDUs.
  public var secondaryPHY: PHY
  /// The advertising set, 0–15; nil when there is none.
  public var sid: UInt8?
  /// The power at the sender, dBm, as the report gives it (the AD structure 0x0A is separate).
  public var txPower: Int8?
  /// The power at the receiver, dBm.
  public var rssi: Int8?
  /// The interval of periodic advertising, in steps of 1.25 ms; 0 when there is none.
  public var periodicInterval: UInt16
  /// Whom a directed PDU is meant for.
  public var directAddress: BluetoothAddress?
  /// What kind of address `directAddress` is.
  public var directAddressType: AddressType
  /// The advertising or scan response data.
  public var payload: AdvertisingPayload

  /// A report of which only the source, the data and the power are known.
  @inlinable
  public init(
    time: Timestamp, adapter: UInt16?, address: BluetoothAddress, addressType: AddressType,
    payload: consuming AdvertisingPayload, rssi: Int8?
  ) {
    self.time = time.ifPlausible
    self.adapter = adapter
    self.address = address
    self.addressType = addressType
    self.pduType = nil
    self.isConnectable = nil
    self.isScannable = nil
    self.isScanResponse = nil
    self.isLegacy = nil
    self.dataStatus = .complete
    self.primaryPHY = .none
    self.secondaryPHY = .none
    self.sid = nil
    self.txPower = nil
    self.rssi = rssi
    self.periodicInterval = 0
    self.directAddress = nil
    self.directAddressType = .public
    self.payload = consume payload
  }

  /// Sets what a legacy PDU tells by its type. That a scan response is connectable is left open:
  /// it answers for ADV_IND and for ADV_SCAN_IND.
  @inlinable @inline(__always)
  public mutating func setLegacyPDU(_ type: PDUType) {
    pduType = type
    isLegacy = true
    primaryPHY = .le1M
    isScanResponse = type == .scanRsp
    isConnectable = type == .scanRsp ? nil : type == .advInd || type == .advDirectInd
    isScannable = type == .advInd || type == .advScanInd || type == .scanRsp
  }

  /// Sets what the event type of an LE Extended Advertising Report tells
  /// (Core Specification, Vol 4, Part E, 7.7.65.13).
  @inlinable
  public mutating func setExtendedEventType(_ bits: UInt16) {
    isConnectable = bits & 0x01 != 0
    isScannable = bits & 0x02 != 0
    isScanResponse = bits & 0x08 != 0
    isLegacy = bits & 0x10 != 0
    switch bits >> 5 & 3 {
    case 0: dataStatus = .complete
    case 1: dataStatus = .incomplete
    default: dataStatus = .truncated
    }
    if bits & 0x10 == 0 {
      pduType = .advExtInd
    } else if bits & 0x08 != 0 {
      pduType = .scanRsp
    } else if bits & 0x04 != 0 {
      pduType = .advDirectInd
    } else if bits & 0x01 != 0 {
      pduType = .advInd
    } else {
      pduType = bits & 0x02 != 0 ? .advScanInd : .advNonconnInd
    }
  }
}
