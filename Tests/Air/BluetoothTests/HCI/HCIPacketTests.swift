import Testing

@testable import Bluetooth

@Suite struct HCIPacketTests {
  // Spans cannot be captured by #expect.
  private func command(_ bytes: [UInt8]) -> HCICommand? { HCICommand(bytes.span) }
  private func answer(_ bytes: [UInt8]) -> HCICommandReply? { HCICommandReply(event: bytes.span) }
  private func acl(_ bytes: some Sequence<UInt8>) -> HCIACLPacket? {
    HCIACLPacket(Array(bytes).span)
  }

  @Test func writesACommand() {
    // indicator, opcode 2, length, parameters
    let command = HCICommand(HCIOpcode.leSetScanEnable, [0x01, 0x00])
    #expect(command.h4Packet == [0x01, 0x0C, 0x20, 0x02, 0x01, 0x00])
    #expect(self.command(Array(command.h4Packet.dropFirst())) == command)
  }

  @Test func cutsParametersToWhatFits() {
    #expect(HCICommand(0x0C03, [UInt8](repeating: 1, count: 300)).parameters.count == 255)
  }

  @Test(arguments: [[], [0x03], [0x03, 0x0C], [0x03, 0x0C, 0x01]] as [[UInt8]])
  func refusesAShortCommand(_ bytes: [UInt8]) {
    #expect(command(bytes) == nil)
  }

  @Test func readsCommandComplete() throws {
    // code, length | commands allowed, opcode 2, status, return parameters
    let bytes: [UInt8] = [0x0E, 0x06, 0x01, 0x09, 0x10, 0x00, 0xAA, 0xBB]
    let reply = try #require(answer(bytes))
    #expect(reply.opcode == HCIOpcode.readAddress)
    #expect(reply.status == .success)
    #expect(reply.parameters == [0xAA, 0xBB])
    #expect(reply.isComplete)
  }

  @Test func readsThatCommandsMayBeSentAgain() throws {
    let bytes: [UInt8] = [0x0E, 0x03, 0x01, 0x00, 0x00]
    let reply = try #require(answer(bytes))
    #expect(reply.opcode == HCIOpcode.none)
  }

  @Test(arguments: [(0x00, false), (0x0C, true)] as [(UInt8, Bool)])
  func readsCommandStatus(_ status: UInt8, _ isComplete: Bool) throws {
    // code, length | status, commands allowed, opcode 2
    let bytes: [UInt8] = [0x0F, 0x04, status, 0x01, 0x0C, 0x20]
    let reply = try #require(answer(bytes))
    #expect(reply.opcode == HCIOpcode.leSetScanEnable)
    #expect(reply.status.rawValue == status)
    #expect(reply.isComplete == isComplete)
  }

  @Test(
    arguments: [
      [], [0x0E], [0x0E, 0x00], [0x0E, 0x04, 0x01, 0x03], [0x0E, 0x03, 0x01, 0x03, 0x0C],
      [0x0F, 0x03, 0x00, 0x01, 0x0C], [0x3E, 0x04, 0x01, 0x03, 0x0C, 0x00],
    ] as [[UInt8]])
  func refusesOtherEvents(_ bytes: [UInt8]) {
    #expect(answer(bytes) == nil)
  }

  @Test func readsAndWritesACLData() throws {
    // handle 12 bits, boundary 2, broadcast 2 | length 2 | data
    let bytes: [UInt8] = [0x40, 0x20, 0x03, 0x00, 0xAA, 0xBB, 0xCC]
    let packet = try #require(acl(bytes))
    #expect(packet.handle == 0x040)
    #expect(packet.boundary == 2)
    #expect(packet.broadcast == 0)
    #expect(packet.data == [0xAA, 0xBB, 0xCC])
    #expect(packet.h4Packet == [0x02] + bytes)
    #expect(acl(bytes.dropLast()) == nil)
    #expect(acl(bytes.prefix(3)) == nil)
  }

  @Test func namesAStatus() {
    #expect(HCIStatus.commandDisallowed.description == "Command Disallowed (0x0C)")
    #expect(HCIStatus(rawValue: 0xEE).description == "error 0xEE")
  }
}
