import LunaTesting
import Testing

@testable import Bluetooth

@Suite struct CaptureEncoderTests {
  private func encoded(
    _ reports: [AdvertisingReport], _ format: CaptureEncoder.Format
  ) -> [UInt8] {
    var encoder = CaptureEncoder(format)
    var bytes = encoder.header
    for report in reports { encoder.append(report, to: &bytes) }
    return bytes
  }

  private static func report(_ count: Int = 3) -> AdvertisingReport {
    AdvertisingReport(
      time: Timestamp(microseconds: 1_767_323_045_678_901), adapter: 1,
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), addressType: .random,
      payload: AdvertisingPayload((0..<count).map { UInt8(truncatingIfNeeded: $0) }), rssi: -67)
  }

  /// One of each kind, as the parsers make them.
  static let kinds: [AdvertisingReport] = {
    var reports: [AdvertisingReport] = []
    for type in [PDUType.advInd, .advDirectInd, .advScanInd, .advNonconnInd, .scanRsp] {
      var legacy = report()
      legacy.setLegacyPDU(type)
      reports.append(legacy)
    }
    // A legacy event type that is not defined.
    var unknown = report()
    unknown.isLegacy = true
    unknown.primaryPHY = .le1M
    reports.append(unknown)
    // Legacy PDUs in extended reports, then extended ones.
    for bits in [0x13, 0x12, 0x10, 0x1B, 0x1A, 0, 1, 2, 0x0A, 0x40] as [UInt16] {
      for count in [0, 31, 229, 230, 458, 1650] where bits & 0x10 == 0 || count <= 31 {
        var extended = report(count)
        extended.setExtendedEventType(bits)
        extended.primaryPHY = .le1M
        extended.secondaryPHY = bits & 0x10 == 0 ? .le2M : .none
        extended.sid = bits & 0x10 == 0 ? 5 : nil
        extended.txPower = -8
        extended.periodicInterval = 0x0123
        extended.rssi = nil
        reports.append(extended)
      }
    }
    var directed = report()
    directed.setExtendedEventType(0x15)
    directed.primaryPHY = .le1M
    directed.directAddress = BluetoothAddress(value: 0xC0FF_EE00_0002)
    directed.directAddressType = .randomIdentity
    reports.append(directed)
    var anonymous = report()
    anonymous.setExtendedEventType(0)
    anonymous.primaryPHY = .leCoded
    anonymous.addressType = .anonymous
    anonymous.address = BluetoothAddress(value: 0)
    reports.append(anonymous)
    return reports
  }()

  @Test(arguments: [CaptureEncoder.Format.btsnoop, .pcapng])
  func readsWhatItWrote(_ format: CaptureEncoder.Format) {
    let file = Decoded(encoded(Self.kinds, format))
    #expect(file.reports.count == Self.kinds.count)
    for (written, read) in zip(Self.kinds, file.reports) { #expect(written == read) }
    #expect(file.diagnostics.total == 0)
    #expect(file.counters.unfinishedFragments == 0)
    #expect(file.format == (format == .pcapng ? .pcapng : .btsnoop(.monitor)))
  }

  @Test func writesTheRecordsOfAMonitor() throws {
    var report = Self.report()
    report.setLegacyPDU(.advInd)
    let bytes = encoded([report, report], .btsnoop)
    // New Index, Index Info, and twice the event
    let sizes = [16, 24 + 16, 24 + 8, 24 + 17, 24 + 17]
    #expect(bytes.count == sizes.reduce(0, +))
    #expect(Array(bytes[16 + 8..<16 + 12]) == [0, 1, 0, 0])
    // type, bus, address, name
    #expect(Array(bytes[40..<56]) == [0, 0, 0, 0, 0, 0, 0, 0] + Array("hci1".utf8) + [0, 0, 0, 0])
    let event = try hex("3e0f0201 0001 010000eeffc0 03 000102 bd")
    #expect(Array(bytes[(sizes[0] + sizes[1] + sizes[2] + 24)...].prefix(17)) == event)
  }

  @Test func saysWhatIsLost() {
    // Of a link-layer PDU, and of a host daemon's report, not everything has a place in HCI.
    var link = Self.report()
    link.adapter = nil
    link.addressType = .absent
    link.setExtendedEventType(0)
    link.isScanResponse = nil
    var daemon = Self.report(60)
    daemon.time = .unknown
    let read = Decoded(encoded([link, daemon], .btsnoop)).reports
    #expect(read.map(\.adapter) == [0, 1])
    #expect(read.first?.addressType == .anonymous)
    #expect(read.first?.isScanResponse == false)
    #expect(read.last?.pduType == nil)
    #expect(read.last?.payload == daemon.payload)
    #expect(read.last?.time == link.time)
  }

  /// As phones without a clock have them.
  @Test(arguments: [CaptureEncoder.Format.btsnoop, .pcapng])
  func keepsTimesBefore1970(_ format: CaptureEncoder.Format) {
    let times: [Int64] = [-1, 1, -1_000_001, Timestamp.plausible.lowerBound.microseconds, 0]
    let reports = times.map { time in
      var report = Self.report()
      report.time = Timestamp(microseconds: time)
      return report
    }
    let file = Decoded(encoded(reports, format))
    #expect(file.reports.map(\.time.microseconds) == times)
    #expect(file.diagnostics.total == 0)
  }
}
