import Diagnosis
import LunaTesting
import Testing

@testable import Bluetooth

@Suite struct PcapngTests {
  static let event = "3e0f02010001010000eeffc003020106bd"

  /// A block in big-endian order.
  static func block(_ type: String, _ body: String) -> String {
    let digits = body.filter { $0 != " " }
    let padding = String(repeating: "00", count: (4 - digits.count / 2 % 4) % 4)
    var count: [UInt8] = []
    count.append(bigEndian: UInt32(digits.count / 2 + padding.count / 2 + 12))
    return type + Hex.lower(count) + digits + padding + Hex.lower(count)
  }

  // byte order, version 1.0, length not stated
  static let section = block("0a0d0d0a", "1a2b3c4d 0001 0000 ffffffffffffffff")
  // link type, reserved, snapshot length
  static let h4 = block("00000001", "00bb 0000 00000000")
  /// 2026-01-02T03:04:05.678901Z in microseconds.
  static let time = "0006475e f6574f35"
  static let packet = block(
    "00000006", "00000000 \(time) 00000012 00000012 04\(event)")

  /// The same file as `section + h4 + packet`, in little-endian order.
  static let little =
    "0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000 "
    + "01000000 14000000 bb00 0000 00000000 14000000 "
    + "06000000 34000000 00000000 5e470600 354f57f6 12000000 12000000 04\(event) 0000 34000000"

  @Test(arguments: [section + h4 + packet, little])
  func readsBothByteOrders(_ text: String) throws {
    let file = Decoded(try hex(text))
    let report = try #require(file.reports.first)
    #expect(file.format == .pcapng)
    #expect(report.address == BluetoothAddress("C0:FF:EE:00:00:01"))
    #expect(report.time == Timestamp(microseconds: 1_767_323_045_678_901))
    #expect(file.diagnostics.total == 0 && file.error == nil)
  }

  @Test func readsPacketBlocksOfAllKinds() throws {
    // interface 0, 3 drops, time, lengths
    let old = Self.block(
      "00000002", "0000 0003 \(Self.time) 00000012 00000012 04\(Self.event)")
    let simple = Self.block("00000003", "00000012 04\(Self.event)")
    let file = Decoded(try hex(Self.section + Self.h4 + old + simple))
    #expect(file.reports.count == 2)
    #expect(file.reports.first?.time == Timestamp(microseconds: 1_767_323_045_678_901))
    #expect(file.reports.last?.time == .unknown)
    #expect(file.counters.kernelDrops == 3)
  }

  @Test func countsWhatTheRecorderHasLost() throws {
    // A comment, then the drops, then the end of the options.
    func packet(_ options: String) -> String {
      Self.block(
        "00000006", "00000000 \(Self.time) 00000012 00000012 04\(Self.event) 0000 \(options)")
    }
    let comment = "0001 0002 61620000"
    let drops = "0004 0008 0000000000000007"
    let damaged = Decoded(
      try hex(Self.section + Self.h4 + packet("0004 0008 ffffffffffffffff 00000000")))
    #expect(damaged.counters.kernelDrops == UInt64(UInt32.max))
    let file = Decoded(
      try hex(
        Self.section + Self.h4 + packet("\(comment) \(drops) 00000000") + packet(drops)
          + packet("\(comment) 00000000 \(drops)") + packet("0004 0008 00000000")
          + packet("0004 ffff 00000000") + packet("")))
    #expect(file.reports.count == 6)
    #expect(file.counters.kernelDrops == 14)
    #expect(file.diagnostics.total == 0)
  }

  @Test func cutsASimplePacketAtTheSnapshotLength() throws {
    let interface = Self.block("00000001", "00bb 0000 00000010")
    let simple = Self.block("00000003", "00000012 \(String(("04" + Self.event).prefix(32)))")
    let file = Decoded(try hex(Self.section + interface + simple))
    #expect(file.reports.isEmpty)
    #expect(file.counters.overrunEvents == 1)
  }

  @Test(
    arguments: [
      // 10^-3 s
      ("03", 1_767_323_045_678, 1_767_323_045_678_000),
      // 10^-9 s
      ("09", 1_767_323_045_678_901_234, 1_767_323_045_678_901),
      // 2^-10 s
      ("8a", 1_767_323_045 * 1024 + 512, 1_767_323_045_500_000),
      // 1 s
      ("00", 1_767_323_045, 1_767_323_045_000_000),
      // 10^-127 s and 2^-127 s
      ("7f", 1_767_323_045_678_901, Timestamp.unknown.microseconds),
      ("ff", 1_767_323_045_678_901, Timestamp.unknown.microseconds),
    ] as [(String, UInt64, Int64)])
  func readsTheTimeResolution(
    _ resolution: String, _ units: UInt64, _ expected: Int64
  ) throws {
    // a name, then the resolution, then the end of the options
    let interface = Self.block(
      "00000001",
      "00bb 0000 00000000 0002 0005 6863693000000000 0009 0001 \(resolution)000000 00000000")
    var time: [UInt8] = []
    time.append(bigEndian: units)
    let packet = Self.block(
      "00000006", "00000000 \(Hex.lower(time)) 00000012 00000012 04\(Self.event)")
    let file = Decoded(try hex(Self.section + interface + packet))
    #expect(file.reports.first?.time == Timestamp(microseconds: expected))
  }

  @Test func addsTheTimeOffset() throws {
    // 14: 64 bits, signed, in seconds
    let interface = Self.block(
      "00000001", "00bb 0000 00000000 000e 0008 fffffffffffffffe 00000000")
    let file = Decoded(try hex(Self.section + interface + Self.packet))
    #expect(file.reports.first?.time == Timestamp(microseconds: 1_767_323_045_678_901 - 2_000_000))
  }

  @Test func survivesTimesBeyondAllBounds() throws {
    for resolution in ["00", "80", "bf", "13", "ff", "7f"] {
      let interface = Self.block(
        "00000001",
        "00bb 0000 00000000 0009 0001 \(resolution)000000 000e 0008 7fffffffffffffff 00000000")
      let packet = Self.block(
        "00000006", "00000000 ffffffffffffffff 00000012 00000012 04\(Self.event)")
      #expect(Decoded(try hex(Self.section + interface + packet)).reports.count == 1)
    }
  }

  @Test func keepsInterfacesAndSectionsApart() throws {
    let monitor = Self.block("00000001", "00fe 0000 00000000")
    let ethernet = Self.block("00000001", "0001 0000 00000000")
    func packet(_ interface: Int, _ content: String) -> String {
      var count: [UInt8] = []
      count.append(bigEndian: UInt32(content.count / 2))
      let size = Hex.lower(count)
      return Self.block(
        "00000006", "0000000\(interface) \(Self.time) \(size) \(size) \(content)")
    }
    let file = Decoded(
      try hex(
        Self.section + ethernet + monitor + Self.h4
          + packet(0, String(repeating: "ff", count: 60))
          + packet(1, "00070003" + Self.event) + packet(2, "04" + Self.event)
          // In a new section the interfaces are numbered anew, and the byte order may be another.
          + Self.little + Self.section + monitor + packet(0, "00080003" + Self.event)))
    #expect(file.reports.map(\.adapter) == [7, nil, nil, 8])
    #expect(file.counters.packets == 5)
    #expect(file.diagnostics.total == 0)
  }

  @Test func passesOverOtherBlocks() throws {
    let statistics = Self.block("00000005", "00000000 00000000 00000000")
    let custom = Self.block("00000bad", "00007ed9 616263")
    let unknown = Self.block("7fff0001", "01")
    // larger than any record that is kept in one piece
    var large = try hex("00007f00 00500010")
    large += [UInt8](repeating: 6, count: 0x50_0004)
    large += try hex("00500010")
    let file = Decoded(
      try hex(Self.section + statistics + Self.h4 + custom + unknown + Self.packet) + large
        + hex(Self.packet), chunk: 100_000)
    #expect(file.reports.count == 2)
    #expect(file.diagnostics.total == 0)
  }

  @Test func namesTheLinkTypeOfAFileForOthers() throws {
    let interface = Self.block("00000001", "0001 0000 00000000")
    let packet = Self.block("00000006", "00000000 \(Self.time) 00000004 00000004 01020304")
    let file = Decoded(try hex(Self.section + interface + packet))
    #expect(file.error?.kind == .unreadable)
    #expect(file.error?.reason.contains("Ethernet") == true)
  }

  @Test func takesAFileWithoutPackets() throws {
    #expect(Decoded(try hex(Self.section + Self.h4)).error == nil)
    #expect(Decoded(try hex(Self.section)).error == nil)
  }

  @Test func goesOnBehindBlocksWithWrongLengths() throws {
    let head = try hex(Self.section + Self.h4)
    let good = try hex(Self.packet)
    let lengths: [(Int, [UInt8])] = [
      // leading length too large, too small, not plausible; closing length wrong
      (4, [0, 0, 0, 0x38]), (4, [0, 0, 0, 0x10]), (4, [0xFF, 0, 0, 0x34]), (4, [0, 0, 0, 0]),
      (good.count - 4, [0, 0, 0, 0x38]),
    ]
    for (offset, length) in lengths {
      var bad = good
      bad.replaceSubrange(offset..<offset + 4, with: length)
      let file = Decoded(head + good + bad + good + good)
      #expect(file.reports.count == 3)
      #expect(file.diagnostics.first == .wrongLength)
      #expect(file.diagnostics.firstOffset == UInt64(head.count + good.count))
    }
  }

  /// Lengths beyond the end of the file, and beyond what is kept in one piece.
  @Test(
    arguments: [
      [0, 0, 0x10, 0x34], [0, 0x02, 0, 0x34], [0, 0x10, 0, 0x34], [0, 0xFF, 0, 0x34],
    ] as [[UInt8]])
  func goesOnBehindABlockThatClaimsTheRestOfTheFile(_ length: [UInt8]) throws {
    let head = try hex(Self.section + Self.h4)
    let good = try hex(Self.packet)
    var bad = good
    bad.replaceSubrange(4..<8, with: length)
    let file = Decoded(head + good + bad + good + good)
    #expect(file.reports.count == 3)
    #expect(file.diagnostics.first == .wrongLength)
    #expect(file.diagnostics.firstOffset == UInt64(head.count + good.count))

    // The last block may simply be cut off.
    let cut = Decoded(head + good + [UInt8](good.dropLast(5)))
    #expect(cut.reports.count == 1)
    #expect(cut.diagnostics.count(of: .truncated) == 1 && cut.diagnostics.total == 1)
  }

  @Test func reportsPacketsOfUnknownInterfaces() throws {
    let bad = Self.block("00000006", "00000001 \(Self.time) 00000012 00000012 04\(Self.event)")
    let long = Self.block("00000006", "00000000 \(Self.time) 00000099 00000099 04\(Self.event)")
    let file = Decoded(try hex(Self.section + Self.h4 + bad + long + Self.packet))
    #expect(file.reports.count == 1)
    #expect(file.diagnostics.count(of: .invalidBlock) == 2)
    #expect(file.diagnostics.firstOffset == 28 + 20)
  }

  @Test func failsWhenNoBlockOfPacketsCanBeRead() throws {
    let whole = try hex(Self.section + Self.h4 + Self.packet)
    let file = Decoded([UInt8](whole.dropLast(3)))
    #expect(file.error?.kind == .unreadable)
    // version 2
    let other = Self.block("0a0d0d0a", "1a2b3c4d 0002 0000 ffffffffffffffff")
    #expect(Decoded(try hex(other + Self.h4 + Self.packet)).error?.kind == .unreadable)
  }
}
