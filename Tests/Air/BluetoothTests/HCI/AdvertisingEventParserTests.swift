import Testing

@testable import Bluetooth

@Suite struct AdvertisingEventParserTests {
  private func parse(
    _ hex: String
  ) throws -> (reports: [AdvertisingReport], counters: SourceCounters) {
    let bytes = try #require(Hex.bytes(hex.filter { $0 != " " }))
    var reports: [AdvertisingReport] = []
    var counters = SourceCounters()
    AdvertisingEventParser.parse(
      event: bytes.span, time: Timestamp(microseconds: 5), adapter: 3, into: &reports,
      counters: &counters)
    return (reports, counters)
  }

  @Test func readsALegacyReport() throws {
    // event, length, subevent, count | type, address type, address | length, data | RSSI
    let (reports, counters) = try parse("3e0f0201 0001 010000eeffc0 03 020106 bd")
    let report = try #require(reports.first)
    #expect(reports.count == 1)
    #expect(report.time == Timestamp(microseconds: 5))
    #expect(report.adapter == 3)
    #expect(report.address == BluetoothAddress("C0:FF:EE:00:00:01"))
    #expect(report.addressType == .random)
    #expect(report.pduType == .advInd)
    #expect(report.isConnectable == true && report.isScannable == true)
    #expect(report.isScanResponse == false && report.isLegacy == true)
    #expect(report.payload.bytes == [2, 1, 6])
    #expect(report.rssi == -67)
    #expect(counters.overrunEvents == 0)
  }

  @Test(
    arguments: [
      (0, PDUType.advInd, true, true), (1, .advDirectInd, true, false),
      (2, .advScanInd, false, true),
      (3, .advNonconnInd, false, false), (4, .scanRsp, nil, true),
    ] as [(UInt8, PDUType, Bool?, Bool)])
  func translatesLegacyTypes(
    _ code: UInt8, _ type: PDUType, _ connectable: Bool?, _ scannable: Bool
  ) throws {
    let report = try #require(
      try parse("3e0c0201 \(Hex.lower(code))00 010000eeffc0 00 7f").reports.first)
    #expect(report.pduType == type)
    #expect(report.isConnectable == connectable)
    #expect(report.isScannable == scannable)
    #expect(report.isScanResponse == (type == .scanRsp))
    #expect(report.rssi == nil)
  }

  @Test func keepsUndefinedCodes() throws {
    let report = try #require(try parse("3e0c0201 0707 010000eeffc0 00 bd").reports.first)
    #expect(report.pduType == nil)
    #expect(report.isConnectable == nil)
    #expect(report.addressType.name == nil)
    #expect(report.addressType.rawValue == 7)
  }

  /// No code of HCI stands for "no address at all".
  @Test(arguments: [UInt8(0x04), 0x7F, 0xFE])
  func anAddressOfAnUnknownTypeIsKept(code: UInt8) throws {
    let report = try #require(
      try parse("3e0c0201 00\(Hex.lower(code)) 010000eeffc0 00 bd").reports.first)
    #expect(report.addressType == AddressType(rawValue: code))
    #expect(report.addressType.hasAddress && report.addressType != .absent)
    #expect(report.address == BluetoothAddress("C0:FF:EE:00:00:01"))
    let anonymous = try #require(try parse("3e0c0201 00ff 010000eeffc0 00 bd").reports.first)
    #expect(anonymous.addressType == .anonymous && anonymous.addressType != .absent)
    #expect(!anonymous.addressType.hasAddress && !AddressType.absent.hasAddress)
    #expect(Set([AddressType.absent, .anonymous, AddressType(rawValue: code)]).count == 3)
  }

  @Test func readsSeveralReportsInOneEvent() throws {
    let (reports, _) = try parse(
      "3e180202 0300 010000eeffc0 01 aa b0 0401 020000eeffc0 00 b1 ffff")
    #expect(reports.map(\.payload.bytes) == [[0xAA], []])
    #expect(reports.map(\.rssi) == [-80, -79])
    #expect(reports.map(\.pduType) == [.advNonconnInd, .scanRsp])
  }

  @Test(arguments: [
    // The second report's data run past the event; its fixed part does; there is none.
    "3e180202 0300 010000eeffc0 01 aa b0 0401 020000eeffc0 09 b1 0000",
    "3e100202 0300 010000eeffc0 01 aa b0 0401 02",
    "3e0d0202 0300 010000eeffc0 01 aa b0",
    // The event states more than is there.
    "3eff0202 0300 010000eeffc0 01 aa b0 0401",
  ])
  func countsReportsThatOverrun(_ hex: String) throws {
    let (reports, counters) = try parse(hex)
    #expect(reports.count == 1)
    #expect(reports.first?.payload.bytes == [0xAA])
    #expect(counters.overrunEvents == 1)
  }

  @Test func readsAnExtendedReport() throws {
    let (reports, counters) = try parse(
      """
      3e1f0d01 0500 01 010000eeffc0 03 02 0b f4 bd a000 00 060000eeffd0 03 020106 ffff
      """)
    let report = try #require(reports.first)
    #expect(counters.overrunEvents == 0)
    #expect(report.pduType == .advExtInd)
    #expect(report.isConnectable == true && report.isScannable == false)
    #expect(report.isLegacy == false && report.dataStatus == .complete)
    #expect(report.primaryPHY == .leCoded && report.secondaryPHY == .le2M)
    #expect(report.sid == 11)
    #expect(report.txPower == -12)
    #expect(report.rssi == -67)
    #expect(report.periodicInterval == 160)
    #expect(report.directAddress == BluetoothAddress("D0:FF:EE:00:00:06"))
    #expect(report.directAddressType == .public)
    #expect(report.payload.bytes == [2, 1, 6])
  }

  @Test func readsDirectedReports() throws {
    // event type, address type, address, direct address type, direct address, RSSI
    let (reports, counters) = try parse(
      """
      3e22 0b02 01 01 010000eeffc0 01 02000000006a d4 01 00 665544332211 fe 03000000006a 7f
      """)
    let report = try #require(reports.first)
    #expect(reports.count == 2)
    #expect(report.pduType == .advDirectInd && report.primaryPHY == .le1M)
    #expect(report.isConnectable == true && report.isScannable == false)
    #expect(report.address == BluetoothAddress("C0:FF:EE:00:00:01"))
    #expect(report.addressType == .random)
    #expect(report.directAddress == BluetoothAddress("6A:00:00:00:00:02"))
    #expect(report.directAddressType == .random)
    #expect(report.payload.bytes.isEmpty && report.rssi == -44)
    let last = try #require(reports.last)
    #expect(last.address == BluetoothAddress("11:22:33:44:55:66") && last.addressType == .public)
    #expect(last.directAddress == BluetoothAddress("6A:00:00:00:00:03"))
    #expect(last.directAddressType == .random)
    #expect(last.rssi == nil)
    #expect(counters == SourceCounters())

    let cut = try parse("3e11 0b01 01 01 010000eeffc0 01 02000000006a")
    #expect(cut.reports.isEmpty && cut.counters.overrunEvents == 1)
  }

  @Test func takesAnUnresolvedTargetForARandomAddress() throws {
    let (reports, _) = try parse(
      "3e1c0d01 0500 01 010000eeffc0 01 01 03 7f bd 0000 fe 02000000006a 00 00")
    #expect(reports.first?.directAddress == BluetoothAddress("6A:00:00:00:00:02"))
    #expect(reports.first?.directAddressType == .random)
  }

  @Test(arguments: [
    ("1300", PDUType.advInd, DataStatus.complete), ("1500", .advDirectInd, .complete),
    ("1200", .advScanInd, .complete), ("1000", .advNonconnInd, .complete),
    ("1b00", .scanRsp, .complete), ("1a00", .scanRsp, .complete), ("0000", .advExtInd, .complete),
    ("2000", .advExtInd, .incomplete), ("4000", .advExtInd, .truncated),
    ("6000", .advExtInd, .truncated), ("0900", .advExtInd, .complete),
  ])
  func translatesExtendedTypes(_ bits: String, _ type: PDUType, _ status: DataStatus) throws {
    let (reports, _) = try parse(
      "3e1c0d01 \(bits) ff 000000000000 01 00 ff 7f 7f 0000 00 000000000000 00 00")
    let report = try #require(reports.first)
    #expect(report.pduType == type)
    #expect(report.dataStatus == status)
    #expect(!report.addressType.hasAddress)
    #expect(report.sid == nil && report.txPower == nil && report.rssi == nil)
    #expect((report.directAddress != nil) == (bits == "1500"))
  }

  @Test func everyPrefixOfAnEventIsHarmless() throws {
    let whole = try #require(
      Hex.bytes(
        "3e1f0d010500010100 00eeffc003020bf4bda00000060000eeffd003020106".filter { $0 != " " }))
    for count in 0..<whole.count {
      var reports: [AdvertisingReport] = []
      var counters = SourceCounters()
      AdvertisingEventParser.parse(
        event: Array(whole[..<count]).span, time: Timestamp(microseconds: 0), adapter: nil,
        into: &reports, counters: &counters)
      #expect(reports.isEmpty)
      #expect(counters.overrunEvents == (count >= 3 ? 1 : 0))
    }
  }

  @Test func ignoresOtherEvents() throws {
    for hex in ["0e0401010c00", "3e0101", "3e00", "3e", "", "0504004000 13"] {
      let (reports, counters) = try parse(hex)
      #expect(reports.isEmpty)
      #expect(counters == SourceCounters())
    }
  }
}
