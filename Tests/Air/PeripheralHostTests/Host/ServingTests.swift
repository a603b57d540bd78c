import Bluetooth
import LunaTesting
import Testing

@testable import PeripheralHost

/// What peers get that connect.
@Suite struct ServingTests {
  private let link = PeripheralLink(number: 0, serial: 1)

  private func respond(_ response: GATTResponse, _ script: HostScript) {
    script.perform(script.host.respond(response, on: link, at: script.now))
  }

  private func indicate(_ value: [UInt8], _ script: HostScript) {
    script.perform(script.host.indicate(value, of: HostScript.value, on: link, at: script.now))
  }

  private func disconnect(_ script: HostScript) {
    script.perform(script.host.disconnect(link, at: script.now))
  }

  /// A script whose peer wants indications.
  private func subscribed() -> HostScript {
    let script = HostScript.connected()
    script.ask([0x12, 10, 0, 2, 0])
    #expect(script.pdus.last == [0x13])
    return script
  }

  @Test func tellsWhoConnects() {
    let script = HostScript.connected()
    #expect(script.told == [.link(.connected(LinkScript.peer.address), link)])
    script.leave()
    #expect(script.told.dropFirst().first == .link(.disconnected, link))
    // What was on air when the peer came is on air again.
    #expect(script.told.last == .settled(0))
    #expect(script.airings.count == 2 && script.isOnAir)
  }

  @Test func staysSilentWhenThatIsWanted() {
    let script = HostScript.connected()
    script.perform(script.host.silence(0, at: script.now))
    script.leave()
    #expect(script.airings.count == 1 && !script.isOnAir)
  }

  @Test func servesReadsInPieces() {
    let script = HostScript.connected()
    let value = (0..<54).map { UInt8($0) }
    script.ask([0x0A, 9, 0])
    #expect(script.told.last == .link(.read(HostScript.value, offset: 0), link))
    respond(.value(value), script)
    // ATT_MTU 23: an opcode and 22 bytes.
    #expect(script.pdus.last == [0x0B] + value[..<22])
    script.ask([0x0C, 9, 0, 22, 0])
    #expect(script.told.last == .link(.read(HostScript.value, offset: 22), link))
    respond(.value(Array(value[22...])), script)
    #expect(script.pdus.last == [0x0D] + value[22..<44])
  }

  @Test func agreesOnALongerMTU() {
    var controller = ScriptedController.legacy
    // Two packets of 27 bytes.
    controller.leBuffers = [27, 0, 2]
    let script = HostScript.connected(controller)
    script.ask([0x02, 0xF7, 0x00])
    #expect(script.told.last == .link(.mtu(247), link))
    #expect(script.pdus.last == [0x03, 0x05, 0x02])
    script.ask([0x0A, 9, 0])
    let value = [UInt8](repeating: 7, count: 200)
    let before = script.packets
    respond(.value(value), script)
    #expect(script.pdus.last == [0x0B] + value)
    // 205 bytes with the header of L2CAP
    #expect(script.packets - before == 8)
  }

  @Test func servesWrites() {
    let script = HostScript.connected()
    script.ask([0x12, 9, 0, 1, 2, 3])
    #expect(script.told.last == .link(.write(HostScript.value, [1, 2, 3]), link))
    respond(.written, script)
    #expect(script.pdus.last == [0x13])
    script.ask([0x12, 9, 0, 4])
    respond(.refused(.valueNotAllowed), script)
    #expect(script.pdus.last == [0x01, 0x12, 9, 0, 0x13])
  }

  @Test func putsLongWritesTogether() {
    let script = HostScript.connected()
    let value = (0..<44).map { UInt8($0) }
    for start in stride(from: 0, to: 44, by: 18) {
      let part = value[start..<min(44, start + 18)]
      script.ask([0x16, 9, 0, UInt8(start), 0] + part)
      #expect(script.pdus.last == [0x17, 9, 0, UInt8(start), 0] + part)
    }
    script.ask([0x18, 1])
    #expect(script.told.last == .link(.write(HostScript.value, value), link))
    respond(.written, script)
    #expect(script.pdus.last == [0x19])
  }

  @Test func indicatesOneAfterTheOther() {
    let script = subscribed()
    let value = (0..<30).map { UInt8($0) }
    indicate(value, script)
    indicate([9], script)
    #expect(script.pdus.last == [0x1D, 9, 0] + value[..<20])
    script.ask([0x1E])
    #expect(script.pdus.last == [0x1D, 9, 0, 9])
    script.ask([0x1E])
    #expect(script.host.deadline == nil)
  }

  @Test func indicatesOnlyWhatIsWanted() {
    let script = HostScript.connected()
    indicate([1], script)
    #expect(script.pdus == [] && script.host.deadline == nil)
  }

  @Test func disconnectsWhenAllIsConfirmed() {
    let script = subscribed()
    indicate([1], script)
    disconnect(script)
    #expect(script.opcodes.last != HCIOpcode.disconnect)
    script.ask([0x1E])
    #expect(script.opcodes.contains(HCIOpcode.disconnect))
    #expect(script.happened.last == .disconnected)
  }

  @Test func disconnectsInAnyCase() {
    let script = subscribed()
    indicate([1], script)
    disconnect(script)
    script.run(for: .milliseconds(1999))
    #expect(script.happened.last != .disconnected)
    script.run(for: .milliseconds(1))
    #expect(script.happened.last == .disconnected)
  }

  @Test func doesNotWaitForEverForAConfirmation() {
    let script = subscribed()
    indicate([1], script)
    script.run(for: ATTServer.confirmationLimit)
    #expect(script.happened.last == .disconnected)
  }

  @Test func hasRoomForOnePeer() {
    let script = HostScript.connected()
    script.connect(0x41)
    #expect(script.controller.parameters(of: HCIOpcode.disconnect) == [0x41, 0, 0x13])
    #expect(script.happened == [.connected(LinkScript.peer.address)])
    script.ask([0x0A, 3, 0])
    #expect(script.pdus.last == [0x0B] + Array("Luna".utf8))
  }

  @Test func doesNotMixLinks() {
    let script = HostScript.connected()
    script.ask([0x0A, 9, 0])
    script.leave()
    script.connect()
    #expect(script.link == PeripheralLink(number: 0, serial: 2))
    // What answers the first link does not reach the second.
    respond(.value([1]), script)
    indicate([1], script)
    disconnect(script)
    #expect(script.pdus == [])
    #expect(script.happened.last == .connected(LinkScript.peer.address))
  }

  @Test func endsALinkThatAsksWithoutTakingAnswers() {
    var controller = ScriptedController.legacy
    controller.leBuffers = [27, 0, 2]
    let script = HostScript.connected(controller)
    script.keepsPackets = true
    // The name, again and again.
    for _ in 0..<200 { script.ask([0x0A, 3, 0]) }
    #expect(script.packets == 2)
    #expect(script.host.links.load.waiting <= PeripheralHost.queueLimit)
    script.run(for: HCILinks.farewellLimit)
    #expect(script.happened.last == .disconnected)
    #expect(script.host.links.isIdle)
  }

  @Test func keepsFewBytesForWhoTakesNone() {
    var controller = ScriptedController.legacy
    controller.leBuffers = [251, 0, 1]
    let script = HostScript.connected(controller, largestMTU: 128)
    script.ask([0x02, 0xF7, 0x00])
    #expect(script.pdus.last == [0x03, 128, 0])
    script.keepsPackets = true
    // All handles, again and again: 46 bytes with their header. Fewer packets than make a link congested.
    var most = 0
    for _ in 0..<100 {
      script.ask([0x04, 0x01, 0x00, 0xFF, 0xFF])
      most = max(most, script.host.links.announced.map { script.host.links.backlog($0) }.max() ?? 0)
    }
    #expect(most > 128 && most <= 3 * (128 + 4))
    script.run(for: HCILinks.farewellLimit)
    #expect(script.happened.last == .disconnected)
  }

  @Test func endsALinkThatDoesNotWaitForAnswers() {
    let script = HostScript.connected()
    for _ in 0..<20 { script.ask([0x0A, 9, 0]) }
    #expect(script.happened.last == .disconnected)
  }

  @Test func dropsWhatOtherProtocolsAskTooOften() {
    let script = HostScript.connected()
    script.keepsPackets = true
    for _ in 0..<500 {
      script.send([0x16, 1, 0, 0], on: L2CAPChannel.signalling)
      script.send([0x12, 1, 0, 0], on: L2CAPChannel.signalling)
      script.send([0x01, 0, 0, 0], on: L2CAPChannel.security)
    }
    #expect(script.host.links.load.waiting == PeripheralHost.queueLimit)
  }

  @Test func keepsNothingOfLinksThatHaveEnded() {
    let script = HostScript.onAir()
    for _ in 0..<2000 {
      script.connect()
      script.ask([0x0A, 9, 0])
      script.leave()
      script.told = []
    }
    #expect(script.host.peers.isEmpty && script.host.purposes.isEmpty)
    #expect(script.host.links.isIdle && script.host.deadline == nil)
    #expect(script.isOnAir && script.airings.count == 2001)
  }
}
