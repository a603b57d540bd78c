import Testing

@testable import Bluetooth

@Suite struct NordicSnifferHeaderTests {
  private func frame(_ bytes: [UInt8]) -> LinkLayerFrame? { NordicSnifferHeader.frame(bytes.span) }

  static let packet = "d6be898e 0006 010000eeffc0 000000"

  @Test(
    arguments: [
      // marker, id, counter, unused, length | flags, channel, RSSI, counter, delta
      "beef 06 0100 0000 18 | 01 25 3c 0700 96000000",
      // board, header 6, length, version 1, counter, id | length 10, flags ...
      "07 06 19 01 0100 06 | 0a 01 25 3c 0700 96000000",
      // board, length, version 2, counter, id
      "07 1900 02 0100 06 | 0a 01 25 3c 0700 96000000",
      "07 1900 03 0100 02 | 0a 01 25 3c 0700 96000000",
    ])
  func readsEveryVersion(_ headers: String) throws {
    let found = try #require(frame(hex(headers + Self.packet)))
    #expect(found.start == 17)
    #expect(found.checksumIsRight == true)
    #expect(found.channel == 37)
    #expect(found.rssi == -60)
    #expect(found.phy == .le1M)
    #expect(found.kind != .data)
    #expect(found.auxiliary == nil)
  }

  @Test func readsTheFlags() throws {
    // CRC wrong, AUX_SCAN_RSP, LE 2M, on channel 9
    let bytes = try hex("07 1900 03 0100 02 | 0a 16 09 ff 0700 96000000" + Self.packet)
    let found = try #require(frame(bytes))
    #expect(found.checksumIsRight == false)
    #expect(found.auxiliary == .scanRsp)
    #expect(found.phy == .le2M)
    #expect(found.kind == .advertising)
    // -255 dBm cannot be
    #expect(found.rssi == nil)
  }

  @Test func knowsDataPacketsOfVersion3() throws {
    let bytes = try hex("07 1900 03 0100 06 | 0a 01 09 3c 0700 96000000" + Self.packet)
    #expect(frame(bytes)?.kind == .data)
  }

  @Test func refusesLengthsThatContradictEachOther() throws {
    let bytes = try hex("07 1a00 03 0100 02 | 0a 01 25 3c 0700 96000000" + Self.packet)
    #expect(frame(bytes) == nil)
    #expect(frame(Array(bytes[..<16])) == nil)
    #expect(frame([]) == nil)
  }
}
