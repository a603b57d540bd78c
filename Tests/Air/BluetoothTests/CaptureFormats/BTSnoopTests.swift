import Diagnosis
import LunaTesting
import Testing

@testable import Bluetooth

@Suite struct BTSnoopTests {
  // magic, version 1 | datalink
  static let monitor = "6274736e6f6f7000 00000001 | 000007d1"
  static let h4 = "6274736e6f6f7000 00000001 | 000003ea"
  static let hci = "6274736e6f6f7000 00000001 | 000003e9"
  /// LE Meta, 15 bytes, subevent 2, one report: ADV_IND, random, address, 3 bytes, RSSI -67.
  static let event = "3e0f02010001010000eeffc003020106bd"
  /// 2026-01-02T03:04:05.678901Z in microseconds since the year 0.
  static let time = "00e325120586cf35"

  /// Original length, included length, flags, drops, time, packet.
  static func record(flags: String, _ packet: String, original: String? = nil) -> String {
    let count = Hex.lower(UInt8(packet.count / 2))
    return "000000\(original ?? count) 000000\(count) \(flags) 00000000 \(time) \(packet)"
  }

  @Test func readsTheMonitorFormat() throws {
    let file = Decoded(
      try hex(Self.monitor + Self.record(flags: "0002 0003", Self.event)))
    let report = try #require(file.reports.first)
    #expect(file.reports.count == 1)
    #expect(file.format == .btsnoop(.monitor))
    #expect(report.adapter == 2)
    #expect(report.address == BluetoothAddress("C0:FF:EE:00:00:01"))
    #expect(report.time == Timestamp(microseconds: 1_767_323_045_678_901))
    #expect(report.rssi == -67)
    #expect(file.counters.packets == 1 && file.counters.reports == 1)
    #expect(file.diagnostics.total == 0)
  }

  @Test func countsWhatTheRecorderHasLost() throws {
    let records = ["00000003", "00000005"].map { drops in
      "00000011 00000011 00000003 \(drops) \(Self.time) \(Self.event)"
    }
    let file = Decoded(try hex(Self.monitor + records.joined()))
    #expect(file.reports.count == 2)
    #expect(file.counters.kernelDrops == 5, "each record says how many up to there")
  }

  @Test(arguments: ["0000 0002", "0000 0000", "ffff 0011", "0000 000b"])
  func readsOnlyEventsOfTheMonitorFormat(_ flags: String) throws {
    let file = Decoded(try hex(Self.monitor + Self.record(flags: flags, Self.event)))
    #expect(file.reports.isEmpty)
    #expect(file.counters.packets == 1)
    #expect(file.error == nil)
  }

  @Test(arguments: ["00000001", "00000003", "00000000"])
  func readsH4ByItsIndicator(_ flags: String) throws {
    let file = Decoded(try hex(Self.h4 + Self.record(flags: flags, "04" + Self.event)))
    #expect(file.reports.count == 1)
    #expect(file.reports.first?.adapter == nil)
    #expect(Decoded(try hex(Self.h4 + Self.record(flags: flags, "02" + Self.event))).reports == [])
  }

  @Test(arguments: [("00000003", 1), ("00000002", 0), ("00000001", 0), ("00000000", 0)])
  func readsBareHCIByItsFlags(_ flags: String, _ count: Int) throws {
    let file = Decoded(try hex(Self.hci + Self.record(flags: flags, Self.event)))
    #expect(file.reports.count == count)
  }

  @Test func takesAFileWithoutRecords() throws {
    let file = Decoded(try hex(Self.h4))
    #expect(file.error == nil && file.reports.isEmpty && file.diagnostics.total == 0)
  }

  @Test(arguments: ["00000002 000007d1", "00000001 000003eb", "00000001 000007d2"])
  func refusesOtherVersionsAndDatalinks(_ rest: String) throws {
    let file = Decoded(try hex("6274736e6f6f7000" + rest))
    #expect(file.error?.kind == .unreadable)
  }

  @Test func reportsACutRecord() throws {
    let whole = try hex(Self.monitor + Self.record(flags: "00000003", Self.event))
    let bytes = whole + (try hex(Self.record(flags: "00000003", Self.event))).dropLast()
    let file = Decoded(bytes)
    #expect(file.reports.count == 1)
    #expect(file.diagnostics.first == .truncated)
    #expect(file.diagnostics.firstOffset == UInt64(whole.count))
    #expect(file.counters.damagedRecords == 1)
    #expect(file.error == nil)
  }

  @Test func failsWhenNoRecordCanBeRead() throws {
    let file = Decoded(try hex(Self.monitor + "00000011 00000011 0000"))
    #expect(file.error?.kind == .unreadable)
    #expect(file.error?.reason.contains("byte 16") == true)
  }

  @Test func countsAnEventShorterThanItsReports() throws {
    let cut = String(Self.event.dropLast(4))
    let file = Decoded(
      try hex(
        Self.monitor + Self.record(flags: "00000003", cut, original: "11")
          + Self.record(flags: "00000003", Self.event)))
    #expect(file.reports.count == 1)
    #expect(file.counters.overrunEvents == 1)
    #expect(file.counters.damagedRecords == 0)
    #expect(file.diagnostics.count(of: .shortEvent) == 1)
    #expect(file.diagnostics.firstOffset == 16)
  }

  @Test func believesAWrongOriginalLengthWhereARecordFollows() throws {
    let file = Decoded(
      try hex(
        Self.monitor + Self.record(flags: "00000003", Self.event, original: "00")
          + Self.record(flags: "00000003", Self.event, original: "00")))
    #expect(file.reports.count == 2)
    #expect(file.diagnostics.total == 0)
  }

  @Test(arguments: ["7fffffff", "00000100", "00000000", "00000012", "00000010"])
  func goesOnBehindAWrongLength(_ length: String) throws {
    let good = try hex(Self.record(flags: "00000003", Self.event))
    let bad =
      try hex("00000011 \(length) 00000003 00000000 \(Self.time) \(Self.event)")
    let head = try hex(Self.monitor)
    let file = Decoded(head + good + bad + good + good)
    // The damaged one may be read or not, the others must be.
    #expect(file.reports.count >= 3)
    #expect(file.diagnostics.total >= 1)
    #expect(file.diagnostics.firstOffset >= UInt64(head.count + good.count))
  }

  @Test func saysSoWhenNothingFollowsTheDamage() throws {
    let good = try hex(Self.monitor + Self.record(flags: "00000003", Self.event))
    let file = Decoded(good + [UInt8](repeating: 0xEE, count: 5000))
    #expect(file.reports.count == 1)
    #expect(file.diagnostics.first == .wrongLength)
    #expect(file.diagnostics.firstOffset == UInt64(good.count))
    #expect(file.diagnostics.skippedBytes == 5000)
    #expect(file.error == nil)
  }

  @Test func goesOnInARecordingOfAClockThatWasNeverSet() throws {
    // 1969-12-19, as some phones record
    let good = "00000011 00000011 00000003 00000000 00dcdcbe3280cf6a \(Self.event)"
    let bad = "7f000011 7f000011 00000003 00000000 00dcdcbe3280cf6a \(Self.event)"
    let file = Decoded(try hex(Self.monitor + good + bad + good + good))
    #expect(file.reports.count == 3)
    #expect(file.reports.last?.time == Timestamp(microseconds: -1_051_674_456_214))
  }

  /// Two days ahead, in 2001, without a time: a time that jumps is no wrong length.
  @Test(arguments: [
    ["00e32e8e2b6d0000"], ["00e32e8e2b6d0000", "00e0000000000000", "00e25f3a7f000000"],
    ["0000000000000000"], ["0000000000000000", "0000000000000000", "0000000000000001"],
    // One that jumps, and behind it those that have none.
    ["00e32e8e2b6d0000", "0000000000000000"],
    ["00e32e8e2b6d0000", "0000000000000000", "0000000000000000", "0000000000000000"],
  ])
  func takesARecordWhoseTimeJumps(times: [String]) throws {
    let good = Self.record(flags: "00000003", Self.event)
    let odd = times.map { "00000011 00000011 00000003 00000000 \($0) \(Self.event)" }
    let file = Decoded(try hex(Self.monitor + good + odd.joined() + good + good))
    #expect(file.reports.count == 3 + times.count)
    #expect(file.diagnostics.total == 0)
  }
}
