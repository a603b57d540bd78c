import Testing

@testable import Bluetooth

@Suite struct RadioHeaderTests {
  private func header(_ bytes: [UInt8]) -> LinkLayerFrame? { RadioHeader.frame(bytes.span) }

  /// RF channel, signal, noise, offences, reference access address, flags.
  private func frame(_ flags: String, channel: String = "00") throws -> LinkLayerFrame? {
    header(try hex("\(channel) c4 80 00 d6be898e \(flags)"))
  }

  @Test func readsTheSignalWhenItIsValid() throws {
    #expect(try frame("0300")?.rssi == -60)
    #expect(try frame("0100")?.rssi == nil)
  }

  @Test func readsWhatTheRecorderFoundOfTheChecksum() throws {
    #expect(try frame("0100")?.checksumIsRight == nil)
    #expect(try frame("0104")?.checksumIsRight == false)
    #expect(try frame("010c")?.checksumIsRight == true)
    // Of a packet that is whitened still.
    #expect(try frame("0004")?.checksumIsRight == false)
    #expect(try frame("000c")?.checksumIsRight == nil)
  }

  @Test(arguments: [("0100", PHY.le1M), ("0140", .le2M), ("0180", .leCoded), ("01c0", .none)])
  func readsThePHY(_ flags: String, _ phy: PHY) throws {
    #expect(try frame(flags)?.phy == phy)
  }

  @Test func readsTheKindOfPDU() throws {
    #expect(try frame("0100")?.kind == .unknown)
    #expect(try frame("8130")?.kind == .advertising)
    #expect(try frame("8130")?.auxiliary == .scanRsp)
    #expect(try frame("0101")?.kind == .data)
  }

  @Test(arguments: [
    ("00", 37), ("01", 0), ("0b", 10), ("0c", 38), ("0d", 11), ("26", 36), ("27", 39),
  ])
  func translatesRFChannels(_ rf: String, _ index: UInt8) throws {
    #expect(try frame("0100", channel: rf)?.channel == index)
    #expect(try frame("0100", channel: "28")?.channel == nil)
  }

  @Test func needsTenBytes() throws {
    #expect(header([UInt8](repeating: 0, count: 9)) == nil)
    #expect(header([UInt8](repeating: 0, count: 10))?.start == 10)
  }
}
