import Testing

@testable import BlueZ

/// Packets of the monitor channel as the kernel builds them.
struct MonitorNoteTests {
  private func note(_ opcode: UInt16, _ adapter: UInt16, _ body: [UInt8]) -> MonitorNote? {
    read(MgmtPacket.command(opcode, adapter, body))
  }

  private func read(_ packet: [UInt8]) -> MonitorNote? { MonitorNote(packet.span) }

  /// Cookie 7, format, version 1.22, trusted, 16 bytes of name.
  private func opening(_ format: UInt8, _ name: String) -> [UInt8] {
    let text = Array(name.utf8)
    return [7, 0, 0, 0, format, 0, 1, 22, 0, 1, 0, 0, 0, 16] + text
      + [UInt8](repeating: 0, count: 16 - text.count)
  }

  @Test(arguments: [
    (UInt8(0), NeighbourSurvey.Program.Use.raw), (1, .exclusive), (2, .management),
  ])
  func tellsWhoOpens(format: UInt8, use: NeighbourSurvey.Program.Use) {
    #expect(
      note(14, 0, opening(format, "btproxy"))
        == .opened(cookie: 7, .init(name: "btproxy", use: use, adapter: 0)))
    #expect(
      note(14, 0xFFFF, opening(format, "bluetoothd"))
        == .opened(cookie: 7, .init(name: "bluetoothd", use: use)))
  }

  @Test func tellsWhoCloses() { #expect(note(15, 0xFFFF, [7, 0, 0, 0]) == .closed(cookie: 7)) }

  @Test func tellsHowCommandsEnd() {
    // Command Status of Start Discovery: Busy.
    #expect(
      note(17, 1, [7, 0, 0, 0, 2, 0, 0x23, 0, 0x0A])
        == .ended(opcode: MgmtOpcode.startDiscovery, .busy, adapter: 1))
    #expect(
      note(17, 1, [7, 0, 0, 0, 1, 0, 0x23, 0, 0, 7])
        == .ended(opcode: MgmtOpcode.startDiscovery, .success, adapter: 1))
    // Discovering.
    #expect(note(17, 1, [7, 0, 0, 0, 0x13, 0, 7, 1, 0]) == nil)
  }

  @Test func countsReports() {
    #expect(note(3, 2, [0x3E, 12, 0x02, 3]) == .reports(3, adapter: 2))
    #expect(note(3, 2, [0x3E, 26, 0x0D, 1]) == .reports(1, adapter: 2))
    #expect(note(3, 2, [0x3E, 18, 0x0B, 1]) == .reports(1, adapter: 2))
    #expect(note(3, 2, [0x3E, 12, 0x01, 0]) == nil)
    #expect(note(3, 2, [0x0E, 4, 1, 0]) == nil)
  }

  /// Nothing of a packet that ends too early, wherever that is.
  @Test func readsNothingBehindTheEnd() {
    let whole: [(UInt16, [UInt8])] = [
      (14, opening(2, "a")), (15, [7, 0, 0, 0]), (17, [7, 0, 0, 0, 2, 0, 0x23, 0, 10]),
      (3, [0x3E, 12, 0x02, 3]),
    ]
    for (opcode, body) in whole {
      let least = opcode == 14 ? 14 : body.count
      for count in 0..<body.count {
        let found = note(opcode, 0, Array(body[..<count]))
        #expect((found != nil) == (count >= least), "\(opcode), \(count)")
      }
    }
    #expect(read([]) == nil)
    #expect(read([14, 0, 0, 0, 0]) == nil)
  }
}
