import Testing

@testable import Bluetooth

@Suite struct AdvertisingPDUTests {
  static let access = "d6be898e"

  private func parse(
    _ pdu: [UInt8], access: String = AdvertisingPDUTests.access, frame: LinkLayerFrame? = nil,
    behind: [UInt8] = []
  ) throws -> (AdvertisingPDUParser.Outcome, AdvertisingReport?) {
    let checksum = LinkLayerChecksum.checksum(of: pdu.span)
    let trailer = (0..<3).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) }
    let bytes = try hex(access) + pdu + trailer + behind
    var reports: [AdvertisingReport] = []
    let outcome = AdvertisingPDUParser.parse(
      bytes.span, frame: frame ?? LinkLayerFrame(start: 0), time: Timestamp(microseconds: 7),
      into: &reports)
    return (outcome, reports.first)
  }

  @Test func computesTheChecksumOfARecordedPacket() throws {
    // ADV_EXT_IND with a pointer, recorded with its checksum
    let recorded = try hex("0707 46 18 9103 422120")
    let checksum = LinkLayerChecksum.checksum(of: recorded.span)
    #expect(checksum == 0x5C6CE5)
    // The shift register of the specification, bit by bit: the input enters at the high end.
    let pdu = try hex("0006 ffeeddccbbaa")
    var state: UInt32 = 0x555555
    for byte in pdu {
      for bit in 0..<8 {
        let feedback = (state >> 23 & 1) ^ UInt32(byte >> bit & 1)
        state = state << 1 & 0xFFFFFF
        if feedback == 1 { state ^= 0x00065B }
      }
    }
    let reversed = (0..<24).reduce(UInt32(0)) { $0 | (state >> $1 & 1) << (23 - $1) }
    let other = LinkLayerChecksum.checksum(of: pdu.span)
    #expect(other == reversed)
  }

  @Test(
    arguments: [
      (0, PDUType.advInd), (2, .advNonconnInd), (4, .scanRsp), (6, .advScanInd),
    ] as [(UInt8, PDUType)])
  func readsLegacyPDUs(_ type: UInt8, _ expected: PDUType) throws {
    // type and TxAdd, length | address | data
    let pdu = [0x40 | type] + (try hex("09 010000eeffc0 020106"))
    let (outcome, found) = try parse(pdu)
    let report = try #require(found)
    #expect(outcome == .report)
    #expect(report.pduType == expected)
    #expect(report.address == BluetoothAddress("C0:FF:EE:00:00:01"))
    #expect(report.addressType == .random)
    #expect(report.payload.bytes == [2, 1, 6])
    #expect(report.isLegacy == true && report.primaryPHY == .le1M)
    #expect(report.rssi == nil && report.adapter == nil)
    #expect(report.time == Timestamp(microseconds: 7))
  }

  @Test func readsADirectedPDU() throws {
    let (_, found) = try parse(try hex("810c 010000eeffc0 020000eeffc0"))
    let report = try #require(found)
    #expect(report.pduType == .advDirectInd)
    #expect(report.addressType == .public)
    #expect(report.directAddress == BluetoothAddress("C0:FF:EE:00:00:02"))
    #expect(report.directAddressType == .random)
    #expect(report.payload.count == 0)
  }

  @Test(arguments: ["030c 010000eeffc0 020000eeffc0", "0506 010000eeffc0", "0a06 010000eeffc0"])
  func leavesOutOtherPDUs(_ pdu: String) throws {
    let (outcome, report) = try parse(try hex(pdu))
    #expect(outcome == .notAdvertising && report == nil)
  }

  @Test func leavesOutOtherAccessAddresses() throws {
    let (outcome, _) = try parse(try hex("0006 010000eeffc0"), access: "d6be898f")
    #expect(outcome == .notAdvertising)
    var frame = LinkLayerFrame(start: 0)
    frame.kind = .data
    #expect(try parse(try hex("0006 010000eeffc0"), frame: frame).0 == .notAdvertising)
  }

  @Test func readsAllFieldsOfTheExtendedHeader() throws {
    let (_, found) = try parse(
      try hex(
        // type 7, TxAdd and RxAdd, 45 bytes | header of 40, connectable | all fields
        "c7 2d | 68 7f | 010000eeffc0 | 020000eeffc0 | 00 |"
          // set 9, data id 0xabc | channel 20, offset, PHY 2M
          + "bc9a | 14 34 21 |"
          // offset 2, interval 0x0140, channels 5, access address, CRC init, counter
          + "0100 4001 ffffffff1f 11223344 555555 0000 |"
          // power -4 | two bytes for the controller | data
          + "fc | aabb | 03 ff 12 34"))
    let report = try #require(found)
    #expect(report.pduType == .advExtInd && report.isLegacy == false)
    #expect(report.isConnectable == true && report.isScannable == false)
    #expect(report.address == BluetoothAddress("C0:FF:EE:00:00:01"))
    #expect(report.addressType == .random)
    #expect(report.directAddress == BluetoothAddress("C0:FF:EE:00:00:02"))
    #expect(report.directAddressType == .random)
    #expect(report.sid == 9)
    #expect(report.secondaryPHY == .le2M)
    #expect(report.periodicInterval == 0x0140)
    #expect(report.txPower == -4)
    #expect(report.payload.bytes == [3, 0xFF, 0x12, 0x34])
    #expect(report.dataStatus == .truncated)
  }

  @Test func readsAnExtendedPDUWithoutAddress() throws {
    // set 0 and a pointer
    var frame = LinkLayerFrame(start: 0)
    frame.channel = 37
    frame.phy = .le1M
    let (_, found) = try parse(try hex("0707 46 18 9103 422120"), frame: frame)
    let report = try #require(found)
    #expect(report.addressType == .absent)
    #expect(report.sid == 0)
    #expect(report.primaryPHY == .le1M && report.secondaryPHY == .le2M)
    #expect(report.isScanResponse == false)
    #expect(report.dataStatus == .complete)
    #expect(report.payload.count == 0)
  }

  @Test(arguments: [(LinkLayerFrame.Auxiliary.scanRsp, true), (.advInd, false)])
  func tellsAScanResponseOnASecondaryChannel(
    _ auxiliary: LinkLayerFrame.Auxiliary, _ expected: Bool
  ) throws {
    var frame = LinkLayerFrame(start: 0)
    frame.channel = 12
    frame.phy = .le2M
    frame.auxiliary = auxiliary
    let (_, found) = try parse(try hex("070a 07 01 010000eeffc0 0100"), frame: frame)
    let report = try #require(found)
    #expect(report.isScanResponse == expected)
    #expect(report.primaryPHY == .none && report.secondaryPHY == .le2M)
    #expect(report.addressType == .public)
  }

  @Test func takesAnExtendedPDUWithoutHeader() throws {
    let (outcome, report) = try parse(try hex("0703 00 0100"))
    #expect(outcome == .report)
    #expect(report?.payload.bytes == [1, 0])
  }

  @Test(
    arguments: [
      // too short for an address; for a target; no length of the extended header
      "0005 0100000000", "010b 010000eeffc0 0200000000", "0700",
      // an extended header longer than the PDU; fields longer than the extended header
      "0702 0701", "0703 02 01 00", "0704 03 60 00 00",
    ])
  func countsWhatDoesNotFit(_ pdu: String) throws {
    let (outcome, report) = try parse(try hex(pdu))
    #expect(outcome == .malformed && report == nil)
  }

  @Test func believesTheRecorderAboutTheChecksum() throws {
    var frame = LinkLayerFrame(start: 0)
    frame.checksumIsRight = false
    #expect(try parse(try hex("0006 010000eeffc0"), frame: frame).0 == .wrongChecksum)
    frame.checksumIsRight = true
    let bytes = try hex(Self.access + "0006 010000eeffc0 000000")
    var reports: [AdvertisingReport] = []
    let believed = AdvertisingPDUParser.parse(
      bytes.span, frame: frame, time: .unknown, into: &reports)
    #expect(believed == .report)
    // Without it, the same is not believed.
    let checked = AdvertisingPDUParser.parse(
      bytes.span, frame: LinkLayerFrame(start: 0), time: .unknown, into: &reports)
    #expect(checked == .wrongChecksum)
  }

  @Test func goesByTheLengthOfThePDU() throws {
    let (outcome, report) = try parse(try hex("0009 010000eeffc0 020106"), behind: [9, 9, 9])
    #expect(outcome == .report)
    #expect(report?.payload.bytes == [2, 1, 6])
  }

  @Test func neverReadsBehindAnyPrefix() throws {
    let whole = try hex(
      Self.access + "c7 2d 687f010000eeffc0020000eeffc000bc9a14342101004001ffffffff1f11223344"
        + "5555550000fcaabb03ff1234 000000")
    for count in 0..<whole.count {
      for isRight in [nil, true] as [Bool?] {
        var frame = LinkLayerFrame(start: 0)
        frame.checksumIsRight = isRight
        var reports: [AdvertisingReport] = []
        let outcome = AdvertisingPDUParser.parse(
          Array(whole[..<count]).span, frame: frame, time: .unknown, into: &reports)
        // The last three bytes are the checksum.
        #expect((outcome == .report) == (isRight == true && count >= whole.count - 3))
      }
    }
  }

  @Test func skipsTheCodingIndicator() throws {
    var frame = LinkLayerFrame(start: 0)
    frame.phy = .leCoded
    frame.checksumIsRight = true
    let bytes = try hex(Self.access + "00 0709 07 01 010000eeffc0 01 000000")
    var reports: [AdvertisingReport] = []
    _ = AdvertisingPDUParser.parse(bytes.span, frame: frame, time: .unknown, into: &reports)
    #expect(reports.first?.primaryPHY == .leCoded)
    #expect(reports.first?.payload.bytes == [1])
  }
}
