import Diagnosis
import LunaTesting
import Testing

@testable import Bluetooth

@Suite struct PcapTests {
  static let event = "3e0f02010001010000eeffc003020106bd"

  /// A file header and a record, in big-endian order.
  static func big(magic: String, linkType: String, fraction: String, _ packet: String) -> String {
    let count = "000000" + Hex.lower(UInt8(packet.filter { $0 != " " }.count / 2))
    // magic, version 2.4, zone, accuracy, snapshot length, link type
    return "\(magic) 0002 0004 00000000 00000000 00040000 \(linkType) "
      // seconds, fraction, included and original length
      + "695735a5 \(fraction) \(count) \(count) \(magic == "a1b2cd34" ? "0011223344556677" : "")"
      + packet
  }

  static let little =
    "d4c3b2a1 0200 0400 00000000 00000000 00000400 bb000000 "
    + "a5355769 f55b0a00 12000000 12000000 04" + event

  @Test(
    arguments: [
      big(magic: "a1b2c3d4", linkType: "000000bb", fraction: "000a5bf5", "04" + event),
      // nanoseconds: 678901234
      big(magic: "a1b23c4d", linkType: "000000bb", fraction: "287735f2", "04" + event),
      big(magic: "a1b2cd34", linkType: "000000bb", fraction: "000a5bf5", "04" + event),
      // the upper half of the link type tells of a frame check sequence
      big(magic: "a1b2c3d4", linkType: "040000bb", fraction: "000a5bf5", "04" + event),
      little,
    ])
  func readsEveryByteOrderAndMagic(_ text: String) throws {
    let file = Decoded(try hex(text))
    let report = try #require(file.reports.first)
    #expect(file.format == .pcap(.h4))
    #expect(report.time == Timestamp(microseconds: 1_767_323_045_678_901))
    #expect(report.address == BluetoothAddress("C0:FF:EE:00:00:01"))
    #expect(report.adapter == nil)
  }

  @Test func readsTheDirectionOfLinkType201() throws {
    for direction in ["00000001", "00000000"] {
      let file = Decoded(
        try hex(
          Self.big(
            magic: "a1b2c3d4", linkType: "000000c9", fraction: "00000000",
            direction + "04" + Self.event)))
      #expect(file.reports.count == 1)
    }
  }

  @Test func readsTheAdapterOfLinkType254() throws {
    let file = Decoded(
      try hex(
        Self.big(
          magic: "a1b2c3d4", linkType: "000000fe", fraction: "00000000", "0005 0003" + Self.event)))
    #expect(file.reports.first?.adapter == 5)
    let command = Decoded(
      try hex(
        Self.big(
          magic: "a1b2c3d4", linkType: "000000fe", fraction: "00000000", "0005 0002" + Self.event)))
    #expect(command.reports.isEmpty && command.counters.packets == 1)
  }

  @Test(arguments: ["000000bb", "000000c9", "000000fe", "000000fb", "00000100", "00000110"])
  func takesAnEmptyPacket(_ linkType: String) throws {
    let file = Decoded(
      try hex(Self.big(magic: "a1b2c3d4", linkType: linkType, fraction: "00000000", "")))
    #expect(file.reports.isEmpty && file.error == nil && file.counters.packets == 1)
  }

  @Test(arguments: [("00000001", "Ethernet"), ("000000c0", "PPI")])
  func namesALinkTypeThatIsNotSupported(_ linkType: String, _ name: String) throws {
    let file = Decoded(
      try hex(Self.big(magic: "a1b2c3d4", linkType: linkType, fraction: "00000000", "00")))
    #expect(file.error?.kind == .unreadable)
    #expect(file.error?.reason.contains(name) == true)
    #expect(file.error?.remedy?.description.contains("251") == true)
  }

  @Test func goesOnBehindAWrongLength() throws {
    let record = "695735a5 000a5bf5 00000012 00000012 04" + Self.event
    let bad = "695735a5 000a5bf5 7f000012 7f000012 04" + Self.event
    let header = "a1b2c3d4 0002 0004 00000000 00000000 00040000 000000bb"
    let file = Decoded(try hex(header + record + bad + record + record))
    #expect(file.reports.count == 3)
    #expect(file.diagnostics.count(of: .wrongLength) == 1)
    #expect(file.diagnostics.firstOffset == 24 + 34)
    #expect(file.diagnostics.skippedBytes == 34)
  }

  @Test func takesTheOriginalLengthWhereTheOtherIsWrong() throws {
    let record = "695735a5 000a5bf5 00000012 00000012 04" + Self.event
    let bad = "695735a5 000a5bf5 7f000012 00000012 04" + Self.event
    let header = "a1b2c3d4 0002 0004 00000000 00000000 00040000 000000bb"
    let file = Decoded(try hex(header + record + bad + record))
    #expect(file.reports.count == 3)
    #expect(file.diagnostics.count(of: .wrongLength) == 1)
    #expect(file.diagnostics.skippedBytes == 0)
  }

  @Test func believesAClockThatIsSet() throws {
    let header = "a1b2c3d4 0002 0004 00000000 00000000 00040000 000000bb"
    let early = "00000100 000a5bf5 00000012 00000012 04" + Self.event
    let late = "695735a5 000a5bf5 00000012 00000012 04" + Self.event
    for records in [early + late, early + early + late + late, late + early, late + early + early] {
      let file = Decoded(try hex(header + records))
      #expect(file.reports.count == file.counters.packets && file.reports.count >= 2)
      #expect(file.diagnostics.total == 0)
    }
  }
}
