/// The header of an advertising channel PDU (Core Specification, Vol 6, Part B, 2.3), and where its
/// payload lies.
struct AdvertisingPDU {
  /// ADV_IND 0, ADV_DIRECT_IND 1, ADV_NONCONN_IND 2, SCAN_REQ 3, SCAN_RSP 4, CONNECT_IND 5,
  /// ADV_SCAN_IND 6, extended 7.
  let type: UInt8
  /// TxAdd.
  let isRandomSender: Bool
  /// RxAdd.
  let isRandomTarget: Bool
  let payload: Range<Int>

  /// Whether an advertiser sends it.
  var isAdvertisement: Bool { legacyType != nil || type == 7 }

  private var legacyType: PDUType? {
    switch type {
    case 0: .advInd
    case 1: .advDirectInd
    case 2: .advNonconnInd
    case 4: .scanRsp
    case 6: .advScanInd
    default: nil
    }
  }

  private var senderType: AddressType { isRandomSender ? .random : .public }
  private var targetType: AddressType { isRandomTarget ? .random : .public }

  /// The report; nil when the fields do not fit into the payload.
  func report(
    _ bytes: Span<UInt8>, frame: LinkLayerFrame, time: Timestamp
  ) -> AdvertisingReport? {
    guard let legacyType else { return extendedReport(bytes, frame, time) }
    // AdvA 6, then the data, or TargetA 6
    let isDirected = legacyType == .advDirectInd
    guard payload.count >= (isDirected ? 12 : 6),
      let address = BluetoothAddress(littleEndian: bytes, at: payload.lowerBound)
    else { return nil }
    var report = AdvertisingReport(
      time: time, adapter: nil, address: address, addressType: senderType,
      payload: isDirected
        ? AdvertisingPayload()
        : AdvertisingPayload(
          copying: bytes, from: payload.lowerBound &+ 6, count: payload.count &- 6),
      rssi: frame.rssi)
    report.setLegacyPDU(legacyType)
    if isDirected {
      report.directAddress = BluetoothAddress(littleEndian: bytes, at: payload.lowerBound &+ 6)
      report.directAddressType = targetType
    }
    return report
  }

  private func extendedReport(
    _ bytes: Span<UInt8>, _ frame: LinkLayerFrame, _ time: Timestamp
  ) -> AdvertisingReport? {
    guard let header = ExtendedHeader(bytes, payload) else { return nil }
    var report = AdvertisingReport(
      time: time, adapter: nil, address: header.advertiser ?? BluetoothAddress(value: 0),
      addressType: header.advertiser == nil ? .absent : senderType,
      payload: AdvertisingPayload(
        copying: bytes, from: header.data.lowerBound, count: header.data.count),
      rssi: frame.rssi)
    report.pduType = .advExtInd
    report.isLegacy = false
    report.isConnectable = header.mode == 1
    report.isScannable = header.mode == 2
    report.sid = header.sid
    report.txPower = header.txPower
    report.periodicInterval = header.periodicInterval
    if let target = header.target {
      report.directAddress = target
      report.directAddressType = targetType
    }
    if let channel = frame.channel, channel < 37 {
      report.secondaryPHY = frame.phy
      report.isScanResponse = frame.auxiliary.map { $0 == .scanRsp }
    } else {
      report.primaryPHY = frame.phy
      if frame.channel != nil { report.isScanResponse = false }
      report.secondaryPHY = header.auxiliaryPHY ?? .none
    }
    // Data and a pointer to more: the rest is in a PDU of its own.
    if header.auxiliaryPHY != nil, !header.data.isEmpty { report.dataStatus = .truncated }
    return report
  }
}
