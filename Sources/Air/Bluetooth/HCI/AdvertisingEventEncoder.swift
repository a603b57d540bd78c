/// Makes HCI events out of advertising reports: what ``AdvertisingEventParser`` reads, the other
/// way round.
///
/// A report that an LE Advertising Report can hold with nothing lost becomes one, as does one whose
/// PDU is not known (its event type is 0xFF, which is not defined); all others become LE Extended
/// Advertising Reports. What these cannot say is lost: a property that is not known becomes "no",
/// an absent address that of an anonymous advertiser.
public enum AdvertisingEventEncoder {
  /// The data in one extended report (Core Specification, Vol 4, Part E, 7.7.65.13).
  private static let maximumFragment = 229
  /// The data that one legacy report has room for in an event.
  private static let maximumLegacyData = 243
  /// Stands for a PDU that is not known.
  private static let unknownEventType: UInt8 = 0xFF

  /// The events for `report`, each from its code on: one, or as many as the data need fragments.
  public static func events(for report: AdvertisingReport) -> [[UInt8]] {
    if let eventType = legacyEventType(report) { return [legacy(report, eventType)] }
    let data = report.payload.bytes
    guard data.count > maximumFragment else {
      return [extended(report, data[...], status: report.dataStatus)]
    }
    return stride(from: 0, to: data.count, by: maximumFragment).map { start in
      let end = min(start + maximumFragment, data.count)
      return extended(
        report, data[start..<end], status: end == data.count ? report.dataStatus : .incomplete)
    }
  }

  /// The event type of the legacy report for `report`; nil when it needs an extended one.
  private static func legacyEventType(_ report: AdvertisingReport) -> UInt8? {
    guard report.payload.count <= maximumLegacyData else { return nil }
    guard let type = report.pduType else {
      return report.isLegacy == false ? nil : unknownEventType
    }
    guard type != .advExtInd else { return nil }
    var plain = AdvertisingReport(
      time: report.time, adapter: report.adapter, address: report.address,
      addressType: report.addressType, payload: report.payload, rssi: report.rssi)
    plain.setLegacyPDU(type)
    return plain == report ? type.rawValue : nil
  }

  private static func legacy(_ report: AdvertisingReport, _ eventType: UInt8) -> [UInt8] {
    let data = report.payload.bytes
    return [
      HCIEventCode.leMeta, UInt8(12 + data.count), HCIEventCode.leAdvertisingReport, 1,
      eventType, report.addressType.rawValue,
    ] + report.address.littleEndianBytes + [UInt8(data.count)] + data
      + [UInt8(bitPattern: report.rssi ?? 127)]
  }

  private static func extended(
    _ report: AdvertisingReport, _ data: ArraySlice<UInt8>, status: DataStatus
  ) -> [UInt8] {
    let none = BluetoothAddress(value: 0)
    var event = [
      HCIEventCode.leMeta, UInt8(26 + data.count), HCIEventCode.leExtendedAdvertisingReport, 1,
      eventType(report, status), 0, code(report.addressType),
    ]
    event += (report.addressType.hasAddress ? report.address : none).littleEndianBytes
    event += [
      report.primaryPHY.rawValue, report.secondaryPHY.rawValue, report.sid ?? 0xFF,
      UInt8(bitPattern: report.txPower ?? 127), UInt8(bitPattern: report.rssi ?? 127),
      UInt8(truncatingIfNeeded: report.periodicInterval),
      UInt8(truncatingIfNeeded: report.periodicInterval >> 8),
      report.directAddress == nil ? 0 : code(report.directAddressType),
    ]
    event += (report.directAddress ?? none).littleEndianBytes
    event.append(UInt8(data.count))
    return event + data
  }

  private static func eventType(_ report: AdvertisingReport, _ status: DataStatus) -> UInt8 {
    var bits: UInt8 = 0
    if report.isConnectable == true { bits |= 0x01 }
    if report.isScannable == true { bits |= 0x02 }
    if report.directAddress != nil { bits |= 0x04 }
    if report.isScanResponse == true { bits |= 0x08 }
    if report.isLegacy == true { bits |= 0x10 }
    switch status {
    case .complete: return bits
    case .incomplete: return bits | 0x20
    case .truncated: return bits | 0x40
    }
  }

  private static func code(_ type: AddressType) -> UInt8 {
    (type == .absent ? AddressType.anonymous : type).rawValue
  }
}
