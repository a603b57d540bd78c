/// Reads the advertising reports out of HCI events: LE Advertising Report, LE Directed Advertising
/// Report and LE Extended Advertising Report (Core Specification, Vol 4, Part E, 7.7.65.2, 7.7.65.11
/// and 7.7.65.13), any number of reports in one event, as BlueZ and the kernel lay them out (report
/// after report).
public enum AdvertisingEventParser {
  /// Subevent: LE Directed Advertising Report.
  @usableFromInline static let leDirectedAdvertisingReport: UInt8 = 0x0B

  /// Appends the reports of the HCI event `bytes` to `reports`.
  ///
  /// - Parameters:
  ///   - bytes: The event from its code on, without the H4 indicator. What lies behind the length
  ///     that the event states is ignored.
  ///   - time: When it was received.
  ///   - adapter: N of hciN.
  ///   - counters: Gets the number of events that end before their reports do.
  @inlinable
  public static func parse(
    event bytes: Span<UInt8>, time: Timestamp, adapter: UInt16?,
    into reports: inout [AdvertisingReport], counters: inout SourceCounters
  ) {
    guard bytes.count >= 2, bytes[0] == HCIEventCode.leMeta else { return }
    let end = min(bytes.count, 2 &+ Int(bytes[1]))
    guard end >= 3 else { return }
    let subevent = bytes[2]
    let extended = subevent == HCIEventCode.leExtendedAdvertisingReport
    let directed = subevent == leDirectedAdvertisingReport
    guard extended || directed || subevent == HCIEventCode.leAdvertisingReport else { return }
    guard end >= 4 else {
      counters.overrunEvents &+= 1
      return
    }
    var position = 4
    for _ in 0..<bytes[3] {
      let next =
        if extended {
          extendedReport(bytes, position, end, time, adapter, &reports)
        } else if directed {
          directedReport(bytes, position, end, time, adapter, &reports)
        } else {
          legacyReport(bytes, position, end, time, adapter, &reports)
        }
      guard let next else {
        counters.overrunEvents &+= 1
        return
      }
      position = next
    }
  }

  @inlinable
  static func legacyReport(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ time: Timestamp, _ adapter: UInt16?,
    _ reports: inout [AdvertisingReport]
  ) -> Int? {
    // event type, address type, address 6, data length, data, RSSI
    guard end &- start >= 10 else { return nil }
    let count = Int(bytes[start &+ 8])
    guard end &- start >= 10 &+ count else { return nil }
    var report = AdvertisingReport(
      time: time, adapter: adapter, address: address(bytes, start &+ 2),
      addressType: AddressType(rawValue: bytes[start &+ 1]),
      payload: AdvertisingPayload(copying: bytes, from: start &+ 9, count: count),
      rssi: power(bytes[start &+ 9 &+ count]))
    if bytes[start] <= PDUType.scanRsp.rawValue, let type = PDUType(rawValue: bytes[start]) {
      report.setLegacyPDU(type)
    } else {
      report.isLegacy = true
      report.primaryPHY = .le1M
    }
    reports.append(consume report)
    return start &+ 10 &+ count
  }

  /// What a controller tells of ADV_DIRECT_IND that is meant for a resolvable address which it cannot
  /// resolve.
  @usableFromInline
  static func directedReport(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ time: Timestamp, _ adapter: UInt16?,
    _ reports: inout [AdvertisingReport]
  ) -> Int? {
    // event type, address type, address 6, direct address type, direct address 6, RSSI
    guard end &- start >= 16 else { return nil }
    var report = AdvertisingReport(
      time: time, adapter: adapter, address: address(bytes, start &+ 2),
      addressType: AddressType(rawValue: bytes[start &+ 1]), payload: AdvertisingPayload(),
      rssi: power(bytes[start &+ 15]))
    report.setLegacyPDU(.advDirectInd)
    report.directAddressType = targetType(bytes[start &+ 8])
    report.directAddress = address(bytes, start &+ 9)
    reports.append(report)
    return start &+ 16
  }

  @inlinable
  static func extendedReport(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ time: Timestamp, _ adapter: UInt16?,
    _ reports: inout [AdvertisingReport]
  ) -> Int? {
    // event type 2, address type, address 6, primary PHY, secondary PHY, SID, TX power, RSSI,
    // periodic interval 2, direct address type, direct address 6, data length, data
    guard end &- start >= 24 else { return nil }
    let count = Int(bytes[start &+ 23])
    guard end &- start >= 24 &+ count else { return nil }
    var report = AdvertisingReport(
      time: time, adapter: adapter, address: address(bytes, start &+ 3),
      addressType: AddressType(rawValue: bytes[start &+ 2]),
      payload: AdvertisingPayload(copying: bytes, from: start &+ 24, count: count),
      rssi: power(bytes[start &+ 13]))
    let eventType = UInt16(bytes[start]) | UInt16(bytes[start &+ 1]) << 8
    report.setExtendedEventType(eventType)
    report.primaryPHY = PHY(rawValue: bytes[start &+ 9])
    report.secondaryPHY = PHY(rawValue: bytes[start &+ 10])
    report.sid = bytes[start &+ 11] == 0xFF ? nil : bytes[start &+ 11]
    report.txPower = power(bytes[start &+ 12])
    report.periodicInterval = UInt16(bytes[start &+ 14]) | UInt16(bytes[start &+ 15]) << 8
    if eventType & 0x04 != 0 {
      report.directAddressType = targetType(bytes[start &+ 16])
      report.directAddress = address(bytes, start &+ 17)
    }
    reports.append(consume report)
    return start &+ 24 &+ count
  }

  /// 0xFE stands for a random address that the controller could not resolve.
  @inlinable
  static func targetType(_ byte: UInt8) -> AddressType {
    byte == 0xFE ? .random : AddressType(rawValue: byte)
  }

  /// 127 stands for "not available".
  @inlinable
  static func power(_ byte: UInt8) -> Int8? { byte == 127 ? nil : Int8(bitPattern: byte) }

  @inlinable
  static func address(_ bytes: Span<UInt8>, _ at: Int) -> BluetoothAddress {
    BluetoothAddress(
      value: UInt64(bytes.littleEndian(UInt32.self, at: at))
        | UInt64(bytes.littleEndian(UInt16.self, at: at &+ 4)) &<< 32)
  }
}
